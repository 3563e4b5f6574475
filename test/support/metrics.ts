/**
 * The values of metrics in the text format of Prometheus, by name and labels as they are written.
 *
 * @throws Error for a line that is not of that format
 */
export function parseMetrics(text: string): Map<string, number> {
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || /^# (HELP|TYPE) [a-z_]\w* ./.test(line)) continue;
    const [, series, value] =
      /^([a-z_]\w*(?:\{(?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)+\})?) (NaN|[+-]?(?:\d|Inf).*)$/i.exec(
        line,
      ) ?? [];
    if (series === undefined || values.has(series)) throw new Error(`not a metric: ${line}`);
    values.set(series, Number(value?.replace('Inf', 'Infinity')));
  }
  return values;
}
