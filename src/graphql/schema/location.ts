import type { Origin } from '../../core/chunk-metadata.ts';
import type { JsonObject } from '../../core/model.ts';
import { builder } from '../builder.ts';

/** Where a chunk is in its file, from the metadata of the chunk. */
export const ChunkLocationRef = builder.objectRef<JsonObject>('ChunkLocation').implement({
  description:
    'Where a chunk is in its file. Numbers count from 1. What is known depends on the format.',
  fields: (t) => {
    const int = (name: keyof Origin, description: string) =>
      t.int({ nullable: true, description, resolve: (metadata) => wholeNumber(metadata[name]) });
    const text = (name: keyof Origin, description: string) =>
      t.string({ nullable: true, description, resolve: (metadata) => string(metadata[name]) });
    return {
      page: int('page', 'The page of a document.'),
      slide: int('slide', 'The slide of a presentation.'),
      sheet: text('sheet', 'The sheet of a spreadsheet.'),
      row: int('row', 'The first row of a table. The header is a row.'),
      rowEnd: int('rowEnd', 'The last row of a table, when there are several.'),
      line: int('line', 'The first line of a text.'),
      lineEnd: int('lineEnd', 'The last line of a text, when there are several.'),
      path: text('jsonPath', 'The path into a JSON document, such as `$.server.ports[0]`.'),
      heading: text(
        'heading',
        'The nearest heading and those above it: `Coverage > Warranty periods`.',
      ),
      startTime: text('startTime', 'Where it starts in a recording: `HH:MM:SS,mmm`.'),
      endTime: text('endTime', 'Where it ends in a recording: `HH:MM:SS,mmm`.'),
    };
  },
});

/* Custom metadata may have fields with the same names and values of any type. */

function wholeNumber(value: unknown): number | null {
  const isInt = typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31;
  return isInt ? value : null;
}

function string(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
