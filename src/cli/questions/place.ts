import type { SearchHit } from '../../client/index.ts';

const PLACES = ['page', 'slide', 'sheet', 'row', 'line', 'heading', 'startTime'];

/** The location of a chunk, such as `manual.pdf, page 3`. */
export function placeOf({ metadata }: SearchHit): string {
  const places = PLACES.flatMap((name) =>
    metadata[name] === undefined ? [] : [`${name} ${metadata[name]}`],
  );
  return [metadata['originalName'], ...places].join(', ');
}
