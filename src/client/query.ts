/** The query of a URL, with the parameters that are there. */
export function query(parameters: Record<string, string | number | null | undefined>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
}
