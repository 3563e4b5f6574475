import { createReadStream } from 'node:fs';
import type { FileMetadata } from '../../core/chunk-metadata.ts';
import { AppError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { JsonObject, SpooledFile, SrtEntry } from '../../core/model.ts';
import { searchableText } from '../../core/searchable-text.ts';
import type { LoaderScope } from '../../ports/chunk-index.ts';
import type { FileKind } from '../../ports/text-extractor.ts';
import type { Dependencies } from '../dependencies.ts';
import { runTaskGroup } from '../task-group.ts';
import { createRecognize } from './recognize.ts';
import { createTranscribe, SUBTITLES } from './transcribe.ts';

/** The dependencies for reading files and indexing their chunks. */
export type IngestDependencies = Pick<
  Dependencies,
  'storage' | 'index' | 'embeddings' | 'extractor' | 'transcriber' | 'recognizer'
>;

/** A file to ingest, with the destination of its parts. */
export interface IncomingFile {
  file: SpooledFile;
  kind: FileKind;
  scope: LoaderScope;
  /** The path of the stored copy. */
  path: string;
  /** The custom metadata of the file, which each chunk repeats. */
  extraMeta: JsonObject | null;
  /** The metadata of each chunk about its file. */
  fileMetadata: FileMetadata;
  chunkSize: number;
  chunkOverlap: number;
  /** Whether the copy is stored already. */
  isStored?: boolean;
}

/** Batches of chunks that are embedded and added concurrently. */
const BATCHES_AT_ONCE = 3;

/**
 * Ingests a file: stores the copy and, concurrently, extracts, embeds and indexes the chunks. Chunks
 * are processed in batches and never held in memory all at once. Audio and video are transcribed
 * first; the transcript is then read as subtitles. Images, and pages that are images, are recognized first.
 *
 * @returns the transcript of audio and video
 * @throws AppError UNREADABLE_FILE, among others, after all of its tasks have ended
 */
export function createIngest(deps: IngestDependencies) {
  const { index, embeddings, extractor } = deps;
  const transcribe = createTranscribe(deps);
  const recognize = createRecognize(deps);

  return async (incoming: IncomingFile, signal: AbortSignal): Promise<SrtEntry[] | undefined> => {
    let transcript: SrtEntry[] | undefined;
    const read = async (_: IncomingFile, groupSignal: AbortSignal) => {
      const { file, kind } = incoming;
      if (!kind.media) return addRecognized(incoming, groupSignal);
      const { entries, subtitles } = await transcribe(file, kind, groupSignal);
      transcript = entries;
      await addChunks({ ...incoming, file: subtitles, kind: SUBTITLES }, groupSignal);
    };
    const parts = incoming.isStored ? [read] : [store, read];
    await runTaskGroup(parts, { concurrency: 2, signal }, (part, groupSignal) =>
      part(incoming, groupSignal),
    );
    return transcript;
  };

  async function store(incoming: IncomingFile, signal: AbortSignal): Promise<void> {
    await storeCopy(deps, incoming, signal);
  }

  async function addRecognized(incoming: IncomingFile, signal: AbortSignal): Promise<void> {
    const owner = String(incoming.scope.customerKey);
    const recognized = await recognize(incoming.file, incoming.kind, { owner, signal });
    await addChunks({ ...incoming, ...recognized }, signal);
  }

  async function addChunks(
    incoming: IncomingFile & { recognized?: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { recognized } = incoming;
    const { file, kind, scope, extraMeta, fileMetadata, chunkSize, chunkOverlap } = incoming;
    const batches = extractor.extract(file, kind, {
      owner: String(scope.customerKey),
      chunkSize,
      chunkOverlap,
      recognized,
      signal,
    });
    let count = 0;
    await runTaskGroup(
      batches,
      { concurrency: BATCHES_AT_ONCE, signal },
      async (batch, groupSignal) => {
        const first = count;
        count += batch.length;
        if (count > LIMITS.chunksPerFile) {
          throw new AppError('UNREADABLE_FILE', {
            file: file.originalName,
            reason: `it has more than ${LIMITS.chunksPerFile} chunks; a larger chunkSize makes fewer`,
          });
        }
        const chunks = batch.map(({ content, origin }, at) => ({
          position: first + at,
          content,
          // Custom metadata comes first, so that it cannot override our own fields.
          metadata: { ...extraMeta, ...origin, ...fileMetadata },
        }));
        const vectors = await embeddings.embedTexts(chunks.map(searchableText), groupSignal);
        await index.add(scope, chunks, vectors);
      },
    );
    if (count > 0) return;
    throw new AppError('UNREADABLE_FILE', {
      file: file.originalName,
      reason: 'no text was found in it',
    });
  }
}

/** Stores the copy of a file. */
export async function storeCopy(
  { storage }: Pick<Dependencies, 'storage'>,
  { file, kind, path }: Pick<IncomingFile, 'file' | 'kind' | 'path'>,
  signal: AbortSignal,
): Promise<void> {
  const options = { contentType: kind.mimeType, size: file.size, signal };
  await storage.put(path, () => createReadStream(file.path), options);
}
