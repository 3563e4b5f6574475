import type { SrtEntry } from './model.ts';

/** Subtitles as a SubRip file. */
export function formatSrt(entries: SrtEntry[]): string {
  return entries
    .map(({ id, startTime, endTime, text }) => `${id}\n${startTime} --> ${endTime}\n${text}\n\n`)
    .join('');
}

/** Seconds as `HH:MM:SS,mmm`. */
export function srtTime(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  const part = (unit: number, size: number, digits = 2) =>
    String(Math.floor(milliseconds / unit) % size).padStart(digits, '0');
  return `${part(3_600_000, 1e6)}:${part(60_000, 60)}:${part(1000, 60)},${part(1, 1000, 3)}`;
}
