import { Presets, SingleBar } from 'cli-progress';
import { printable } from './output.ts';

/** A progress bar on standard error; without a terminal, a line every few seconds. */
export function showProgress(unit: string) {
  const bar = new SingleBar(
    {
      format: `{what} {bar} {value}/{total} ${unit}, {eta_formatted} left`,
      stream: process.stderr,
      noTTYOutput: !process.stderr.isTTY,
      notTTYSchedule: 5_000,
    },
    Presets.shades_classic,
  );
  return {
    show(name: string, done: number, total: number) {
      const what = printable(name);
      if (bar.isActive) bar.setTotal(total);
      else bar.start(total, done, { what });
      bar.update(done, { what });
    },
    [Symbol.dispose]: () => bar.stop(),
  };
}
