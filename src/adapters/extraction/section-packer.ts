import type { CountTokens } from './count-tokens.ts';
import { nearestHeading, type Passage } from './passage.ts';
import {
  overlapOf,
  repeatedPassage,
  type SizedPassage,
  sizePassage,
  withoutLeadingSpace,
} from './sized-passages.ts';
import { takeChunk, tokensOf } from './take-chunk.ts';

export interface ChunkSizes {
  /** Tokens in a chunk, at most. */
  chunkSize: number;
  /** Tokens that a chunk repeats from the previous one, at most. Limited to half of `chunkSize`. */
  chunkOverlap: number;
}

/** The passages of a chunk, before they are joined to its text. */
export interface DraftChunk {
  passages: SizedPassage[];
  tokens: number;
  /** Whether it holds whole sections rather than a part of one. */
  complete: boolean;
}

export interface SectionPacker {
  /** Tokens of the section that are in no chunk yet. */
  pendingTokens(): number;
  /** Adds the next passage of the section. Returns the chunks that are now complete. */
  add(passage: Passage): DraftChunk[];
  /** Ends the section and returns its last chunks. The next passage begins another section. */
  end(): DraftChunk[];
}

/** The part of a section that is in no chunk yet. */
interface Pending {
  passages: SizedPassage[];
  /** Leading passages that repeat the chunk before. */
  repeated: number;
  tokens: number;
  /** Whether this is the whole section. */
  complete: boolean;
}

/**
 * Packs the passages of sections into chunks. If a section needs several chunks, all but the first
 * begin with its heading and the last words of the chunk before.
 */
export function createSectionPacker(sizes: ChunkSizes, count: CountTokens): SectionPacker {
  const { chunkSize } = sizes;
  const overlap = Math.min(sizes.chunkOverlap, Math.floor(chunkSize / 2));
  let pending = emptySection();

  function nextChunk(limit: number): DraftChunk {
    const { repeated } = pending;
    const { taken, rest } = takeChunk(pending.passages, { limit, repeated, count });
    pending = continueSection(taken.slice(repeated), rest);
    return { passages: taken, tokens: tokensOf(taken), complete: false };
  }

  function continueSection(before: SizedPassage[], rest: SizedPassage[]): Pending {
    const repeated = repeatedFor(rest[0], before);
    const [first, ...others] = [...repeated.overlap, ...rest];
    const passages: SizedPassage[] = first
      ? [...repeated.heading, { ...withoutLeadingSpace(first, count), gap: '\n' }, ...others]
      : [];
    return {
      passages,
      repeated: repeated.heading.length + repeated.overlap.length,
      tokens: tokensOf(passages),
      complete: false,
    };
  }

  /** What a chunk that begins with `next` repeats of its section. */
  function repeatedFor(next: SizedPassage | undefined, before: SizedPassage[]) {
    if (!next) return { heading: [], overlap: [] };
    // Values at different paths of a JSON document do not explain each other.
    const related = before.at(-1)?.origin.jsonPath === next.origin.jsonPath;
    const lastWords = related ? overlapOf(before, overlap, count) : [];
    const { origin } = lastWords[0] ?? next;
    const heading = repeatedPassage(nearestHeading(origin), origin, count);
    const fits = heading.text !== '' && heading.tokens <= chunkSize / 8;
    return { heading: fits ? [heading] : [], overlap: lastWords };
  }

  return {
    pendingTokens: () => pending.tokens,
    add(passage) {
      const chunks: DraftChunk[] = [];
      for (const sized of sizePassage(passage, count)) {
        pending.passages.push(sized);
        pending.tokens += sized.tokens;
        // Two chunks are held back, so that the end of the section can be divided evenly.
        while (pending.tokens > 2 * chunkSize) chunks.push(nextChunk(chunkSize));
      }
      return chunks;
    },
    end() {
      const chunks: DraftChunk[] = [];
      while (pending.tokens > chunkSize) {
        chunks.push(nextChunk(Math.min(chunkSize, pending.tokens - chunkSize / 4)));
      }
      const { passages, tokens, complete } = pending;
      if (passages.length > 0) chunks.push({ passages, tokens, complete });
      pending = emptySection();
      return chunks;
    },
  };
}

function emptySection(): Pending {
  return { passages: [], repeated: 0, tokens: 0, complete: true };
}
