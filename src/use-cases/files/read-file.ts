import { LIMITS, RANGES } from '../../core/limits.ts';
import type { Chunk, StoredFile } from '../../core/model.ts';
import type { Dependencies } from '../dependencies.ts';
import type { DatasetCaller, UseCase } from '../guard.ts';
import { readWholeNumber } from '../input.ts';
import { joinChunks } from '../questions/join-chunks.ts';
import { pageChunks } from './file-chunks.ts';
import { type FileInput, findFile } from './get-file.ts';

type Deps = Pick<Dependencies, 'query'>;

export interface ReadFileInput extends FileInput {
  /** The position of the chunk to begin with; 0 by default. */
  start?: unknown;
}

export interface FileText {
  file: StoredFile;
  /** The text of the chunks, without what each repeats from the previous one. */
  text: string;
  /** The position of the chunk at which the text continues; null at the end of the file. */
  next: number | null;
}

/** The text of a file as it was read when it was uploaded; for a long file, one part. */
export function readFile(deps: Deps) {
  const chunks = createReadChunks(deps);
  return {
    read: ({ fileId, start }: ReadFileInput) => ({
      fileId,
      start: readWholeNumber(start, 'start', RANGES.chunkPosition),
    }),

    async run(caller, { fileId, start }): Promise<FileText> {
      const file = await caller.record.time('files', () => findFile(deps, caller, fileId));
      const texts: string[] = [];
      let characters = 0;
      for await (const { position, content } of chunks(caller, file, start)) {
        characters += content.length;
        if (characters > LIMITS.textCharacters && texts.length > 0) {
          return { file, text: joinChunks(texts), next: position };
        }
        texts.push(content);
      }
      return { file, text: joinChunks(texts), next: null };
    },
  } satisfies UseCase<
    'readFile',
    ReadFileInput,
    { fileId: string; start: number },
    Promise<FileText>
  >;
}

/** Chunks of a file in the order of the text, read in pages. */
function createReadChunks(deps: Deps) {
  const { run: readPage } = pageChunks(deps);
  return async function* chunks(
    caller: DatasetCaller,
    { fileId }: StoredFile,
    start: number,
  ): AsyncGenerator<Chunk, void, undefined> {
    const selection = {
      fileIds: [fileId],
      limit: RANGES.chunkPageSize.max,
      backwards: false,
      before: undefined,
    };
    for (let after: number | undefined = start - 1; after !== undefined; ) {
      const page = (await readPage(caller, { ...selection, after })).get(fileId);
      yield* page?.items ?? [];
      after = page?.more ? page.items.at(-1)?.position : undefined;
    }
  };
}
