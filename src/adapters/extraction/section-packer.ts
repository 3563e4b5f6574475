import type { CountTokens } from './count-tokens.ts';
import { nearestHeading, type Passage } from './passage.ts';
import { asFirst, lastOf, newPiece, type Piece, piecesOf, smallerPieces } from './pieces.ts';

export interface ChunkSizes {
  /** Tokens a chunk, at most. */
  chunkSize: number;
  /** Tokens that a chunk repeats of the one before, at most; never more than half a chunk. */
  chunkOverlap: number;
}

/** The pieces of a chunk. */
export interface Packed {
  pieces: Piece[];
  tokens: number;
  /** It holds whole sections, not a part of one. */
  complete: boolean;
}

export interface SectionPacker {
  /** Tokens that are not packed yet. */
  waiting(): number;
  /** Takes in the section's next passage; returns the chunks that this completes. */
  add(passage: Passage): Packed[];
  /** The rest of the section. The next passage begins another one. */
  end(): Packed[];
}

/**
 * Packs sections into chunks. A chunk ends at the best border in its second half; the next one of
 * the section begins with its heading and the last words before the border.
 */
export function createSectionPacker(sizes: ChunkSizes, count: CountTokens): SectionPacker {
  const { chunkSize } = sizes;
  const overlap = Math.min(sizes.chunkOverlap, Math.floor(chunkSize / 2));
  const longestHeading = chunkSize / 8;
  /** What is not packed yet; the first `repeated` pieces are in the chunk before as well. */
  let pieces: Piece[] = [];
  let repeated = 0;
  let tokens = 0;
  /** Nothing of the section has been packed before. */
  let complete = true;

  /** Takes a chunk of at most `limit` tokens off the pieces. */
  function pack(limit: number): Packed {
    const end = endOfChunk(limit);
    const packed = pieces.slice(0, end);
    continueAfter(packed.slice(repeated), pieces.slice(end));
    complete = false;
    return { pieces: packed, tokens: tokensOf(packed), complete };
  }

  /** How many pieces the next chunk takes. Cuts the one at the limit where there is no border. */
  function endOfChunk(limit: number): number {
    let [best, bestBorder, filled, end] = [0, -1, 0, 0];
    for (let piece = pieces[0]; piece; piece = pieces[end]) {
      if (filled + piece.tokens > limit) {
        if (best > 0) return best;
        const smaller = smallerPieces(piece, count);
        if (smaller.length > 1) {
          pieces = [...pieces.slice(0, end), ...smaller, ...pieces.slice(end + 1)];
          continue;
        }
        if (end > repeated) return end;
      }
      filled += piece.tokens;
      end += 1;
      const border = pieces[end]?.border ?? 0;
      if (end > repeated && filled >= limit / 2 && border >= bestBorder) {
        [best, bestBorder] = [end, border];
      }
    }
    return end;
  }

  /** Begins the next chunk of the section with what it repeats. */
  function continueAfter(packed: Piece[], rest: Piece[]): void {
    // The words of one value of a JSON document would only confuse those of another.
    const related = packed.at(-1)?.origin.path === rest[0]?.origin.path;
    const lastWords = related && rest.length > 0 ? lastOf(packed, overlap, count) : [];
    const [first, ...others] = [...lastWords, ...rest];
    pieces = [];
    if (first) {
      const heading = newPiece(nearestHeading(first.origin), first.origin, count);
      if (heading.text && heading.tokens <= longestHeading) pieces.push(heading);
      repeated = pieces.length + lastWords.length;
      pieces.push({ ...asFirst(first, count), gap: '\n' }, ...others);
    }
    tokens = tokensOf(pieces);
  }

  return {
    waiting: () => tokens,
    add(passage) {
      const packed: Packed[] = [];
      for (const piece of piecesOf(passage, count)) {
        pieces.push(piece);
        tokens += piece.tokens;
        // The last two chunks' worth is kept back: they are to share evenly what there is.
        while (tokens > 2 * chunkSize) packed.push(pack(chunkSize));
      }
      return packed;
    },
    end() {
      const packed: Packed[] = [];
      while (tokens > chunkSize) packed.push(pack(Math.min(chunkSize, tokens - chunkSize / 4)));
      if (pieces.length > 0) packed.push({ pieces, tokens, complete });
      [pieces, repeated, tokens, complete] = [[], 0, 0, true];
      return packed;
    },
  };
}

function tokensOf(pieces: Piece[]): number {
  return pieces.reduce((sum, piece) => sum + piece.tokens, 0);
}
