/** The credential of an `Authorization: Bearer ...` header; `undefined` when there is none. */
export function readCredential(request: Request): string | undefined {
  const header = request.headers.get('authorization') ?? '';
  return /^bearer\s+(\S.*?)\s*$/i.exec(header)?.[1];
}
