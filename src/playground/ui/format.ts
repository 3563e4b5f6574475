/** A number of bytes, such as `1.2 MB`. */
export function formatSize(bytes: number): string {
  const power = UNITS.findLastIndex((_, index) => bytes >= 1000 ** index);
  const unit = UNITS[Math.max(power, 0)];
  const amount = bytes / 1000 ** Math.max(power, 0);
  return new Intl.NumberFormat([], {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: amount < 10 ? 1 : 0,
  }).format(amount);
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A moment, such as `3 May 2026, 14:05`. */
export function formatTime(iso: string): string {
  return new Intl.DateTimeFormat([], { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(iso),
  );
}

/** An exact decimal, such as `998.9`, with separators. */
export function formatCredits(credits: string): string {
  return new Intl.NumberFormat([], { maximumFractionDigits: 4 }).format(Number(credits));
}

/** `1 chunk`, `2 chunks`. */
export function count(number: number, noun: string): string {
  return `${new Intl.NumberFormat([]).format(number)} ${noun}${number === 1 ? '' : 's'}`;
}
