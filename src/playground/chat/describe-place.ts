import type { PlaceFragment } from '../../generated/playground.ts';

/**
 * The location of a passage in its file, such as `page 3 · Coverage › Warranty`; empty when nothing is
 * known.
 */
export function describePlace(place: PlaceFragment): string {
  const { page, slide, sheet, path, heading, startTime, endTime } = place;
  const parts = [
    page !== null && `page ${page}`,
    slide !== null && `slide ${slide}`,
    sheet !== null && `sheet ${sheet}`,
    span('row', place.row, place.rowEnd),
    span('line', place.line, place.lineEnd),
    path,
    startTime !== null && timeSpan(startTime, endTime),
    heading?.replaceAll(' > ', ' › '),
  ];
  return parts.filter(Boolean).join(' · ');
}

function span(name: string, from: number | null, to: number | null): string {
  if (from === null) return '';
  return to === null || to === from ? `${name} ${from}` : `${name}s ${from}–${to}`;
}

function timeSpan(from: string, to: string | null): string {
  return to === null ? shorten(from) : `${shorten(from)}–${shorten(to)}`;
}

/** `00:01:15,320` is `1:15`. */
function shorten(time: string): string {
  const [, hours = '0', minutes = '0', seconds = '00'] = /^(\d+):(\d+):(\d+)/.exec(time) ?? [];
  const start = Number(hours) > 0 ? `${Number(hours)}:${minutes}` : String(Number(minutes));
  return `${start}:${seconds}`;
}
