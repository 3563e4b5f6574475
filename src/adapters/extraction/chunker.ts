import type { ExtractedChunk } from '../../ports/text-extractor.ts';
import { createTokenCounter } from './count-tokens.ts';
import { commonHeading, inSamePlace, type Origin, originFrom, type Passage } from './passage.ts';
import { type ChunkSizes, createSectionPacker, type DraftChunk } from './section-packer.ts';

export interface Chunker {
  /** Adds the next passages of the file. Returns the chunks that are now complete. */
  add(passages: Iterable<Passage>): ExtractedChunk[];
  /** Ends the file and returns its last chunks. */
  end(): ExtractedChunk[];
}

/** Shared by all files of the process: most words of a file are known from others. */
const countTokens = createTokenCounter();

/**
 * Divides the passages of a file into chunks, measured in cl100k tokens. A chunk never spans pages,
 * slides or sheets. It spans sections only if together they fill at most a third of it, and if they
 * share a heading or one of them is shorter than a tenth of a chunk.
 */
export function createChunker(sizes: ChunkSizes): Chunker {
  const { chunkSize } = sizes;
  const section = createSectionPacker(sizes, countTokens);
  let previous: Origin | undefined;
  /** The last chunk, to which another section may still be added. */
  let open: DraftChunk | undefined;

  function* add(passages: Iterable<Passage>): Generator<ExtractedChunk> {
    for (const passage of passages) {
      if (passage.text.trim() === '') continue;
      if (previous && !continuesSection(previous, passage.origin)) yield* append(section.end());
      previous = passage.origin;
      yield* append(section.add(passage));
    }
  }

  function* end(): Generator<ExtractedChunk> {
    yield* append(section.end());
    if (open) yield toChunk(open);
    open = previous = undefined;
  }

  function continuesSection(before: Origin, origin: Origin): boolean {
    // A few words above the first heading belong to the section that follows.
    const isPreface = before.heading === undefined && section.pendingTokens() < chunkSize / 4;
    return inSamePlace(before, origin) && (isPreface || before.heading === origin.heading);
  }

  /** Merges each chunk into the open one if possible; otherwise yields the open one. */
  function* append(drafts: DraftChunk[]): Generator<ExtractedChunk> {
    for (const draft of drafts) {
      if (open && canMerge(open, draft)) {
        open = merge(open, draft);
      } else {
        if (open) yield toChunk(open);
        open = draft;
      }
    }
  }

  function canMerge(a: DraftChunk, b: DraftChunk): boolean {
    if (!a.complete || !b.complete || a.tokens + b.tokens > chunkSize / 3) return false;
    const [before, after] = [originOf(a), originOf(b)];
    const isTiny = Math.min(a.tokens, b.tokens) < chunkSize / 10;
    return inSamePlace(before, after) && (isTiny || commonHeading(before, after) !== '');
  }

  return { add: (passages) => [...add(passages)], end: () => [...end()] };
}

function merge(a: DraftChunk, b: DraftChunk): DraftChunk {
  const [first, ...others] = b.passages;
  const separated = first ? [{ ...first, gap: '\n\n' as const }, ...others] : [];
  return {
    passages: [...a.passages, ...separated],
    tokens: a.tokens + b.tokens,
    complete: true,
  };
}

function toChunk(draft: DraftChunk): ExtractedChunk {
  const [first, ...others] = draft.passages;
  const content = others.reduce((text, part) => text + part.gap + part.text, first?.text ?? '');
  return { content: content.trimEnd(), origin: originOf(draft) };
}

function originOf({ passages }: DraftChunk): Origin {
  return originFrom(passages[0]?.origin ?? {}, passages.at(-1)?.origin ?? {});
}
