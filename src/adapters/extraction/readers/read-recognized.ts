import type { Passage } from '../passage.ts';
import type { Source } from '../reader.ts';
import { recognizedPassages } from '../recognized.ts';

/** What a model has read in an image. */
export async function* readRecognized({ path }: Source): AsyncIterable<Passage[]> {
  yield* (await recognizedPassages(path)).values();
}
