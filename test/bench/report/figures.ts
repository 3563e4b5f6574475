/** A quantile of some measurements, by the nearest rank. */
export function quantile(measured: number[], part: number): number {
  const sorted = measured.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (measured: number[]): number => quantile(measured, 0.5);

/** A number as people read it: three digits that count. */
export function figure(number: number): string {
  if (Number.isNaN(number)) return '–';
  if (number >= 100) return Math.round(number).toLocaleString('en');
  return number.toFixed(number >= 10 ? 1 : 2);
}

/** How long something takes, in milliseconds. */
export async function timed<Result>(run: () => Promise<Result>): Promise<[number, Result]> {
  const start = performance.now();
  const result = await run();
  return [performance.now() - start, result];
}
