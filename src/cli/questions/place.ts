/** A chunk as commands show it. */
export interface Hit {
  fileId: string;
  originalName: string;
  score: number;
  pageContent: string;
  metadata: Record<string, unknown>;
}

export const HIT_FIELDS = 'fileId originalName score pageContent metadata';

const PLACES = ['page', 'slide', 'sheet', 'row', 'line', 'heading', 'startTime'];

/** Where a chunk is from, such as `manual.pdf, page 3`. */
export function placeOf({ originalName, metadata }: Hit): string {
  const places = PLACES.flatMap((name) =>
    metadata[name] === undefined ? [] : [`${name} ${metadata[name]}`],
  );
  return [originalName, ...places].join(', ');
}
