import type { Json } from '../../../core/model.ts';
import { inBatches } from '../batches.ts';
import { describe, fieldsOf, isFlat, nameOf, stepTo } from '../json-fields.ts';
import type { Passage } from '../passage.ts';
import type { Source } from '../reader.ts';
import { dataBlocksOf, recordsOf, tidy } from '../text-stream.ts';
import { readText } from './read-text.ts';

/** In characters: a longer document would take too much memory as a tree. */
const LONGEST_DOCUMENT = 48 * 1024 * 1024;
/** In characters: a longer record is read as mere text. */
const LONGEST_RECORD = 1024 * 1024;
/** In characters: an object that is described in less stays whole. */
const LONGEST_OBJECT = 800;
/** In a text with such digits, JavaScript may have rounded a number, or left out its last zeros. */
const REWRITTEN = /[\d.]{16}|\d[Ee]\+?\d{3}|\d\.\d*0(?!\d)/;

/** One document: a passage an object or, where that would be long, a passage a field. */
export async function* readJson({ path }: Source): AsyncIterable<Passage[]> {
  yield* jsonPassages(await wholeJson({ path }), path);
}

/** @param document the whole document of the file at `path`, if it has one */
export async function* jsonPassages(
  document: Json | undefined,
  path: string,
): AsyncIterable<Passage[]> {
  // JSON with comments, or cut off, or enormous: it is a text all the same.
  if (document === undefined) yield* readText({ path });
  else yield* inBatches(passagesOf(document, '$'));
}

/** The document of a file, if it is valid and not too long. */
export async function wholeJson({ path }: Pick<Source, 'path'>): Promise<Json | undefined> {
  let text = '';
  for await (const block of dataBlocksOf(path)) {
    text += block;
    if (text.length > LONGEST_DOCUMENT) return undefined;
  }
  return parse(text);
}

/** A record a line. */
export async function* readJsonLines({ path }: Source): AsyncIterable<Passage[]> {
  let cut = false;
  for await (const lines of recordsOf(path, LONGEST_RECORD)) {
    const passages: Passage[] = [];
    for (const line of lines) {
      const record = cut || line.cut ? undefined : parse(line.text);
      const text = tidy((record === undefined ? line.text : describe(record)) ?? '');
      passages.push({ text, origin: { line: line.number }, gap: cut ? '' : '\n', whole: true });
      cut = line.cut;
    }
    yield passages;
  }
}

function* passagesOf(value: Json, path: string, gap: Passage['gap'] = '\n'): Generator<Passage> {
  const name = nameOf(path);
  const isList = Array.isArray(value) && !isFlat(value);
  const description = isList ? undefined : describe(value, LONGEST_OBJECT);
  if (description === '') return;
  if (description) {
    const text = tidy(name ? `${name}: ${description}` : description);
    yield { text, origin: { jsonPath: path }, gap, whole: true };
  } else if (isFlat(value)) {
    for (const field of fieldsOf(value, name))
      yield { text: tidy(field), origin: { jsonPath: path }, gap };
  } else {
    for (const [index, [key, child]] of Object.entries(value).entries()) {
      yield* passagesOf(child, path + stepTo(value, key), index === 0 ? '\n\n' : '\n');
    }
  }
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text, REWRITTEN.test(text) ? asWritten : undefined) as Json;
  } catch {
    return undefined;
  }
}

/** Keeps numbers as they are written. It takes ten times as long to parse so. */
function asWritten(_key: string, value: Json, context?: { source?: string }): Json {
  return typeof value === 'number' ? (context?.source ?? value) : value;
}
