import type { TextChunk } from '../../ports/text-extractor.ts';
import { createTokenCounter } from './count-tokens.ts';
import { commonHeading, inSamePlace, type Origin, originFrom, type Passage } from './passage.ts';
import { type ChunkSizes, createSectionPacker, type Packed } from './section-packer.ts';

export interface Chunker {
  /** Takes in what comes next; returns the chunks that this completes. */
  add(passages: Iterable<Passage>): TextChunk[];
  /** The chunks that are left at the end of the file. */
  end(): TextChunk[];
}

/**
 * Cuts passages in chunks of true cl100k tokens. No chunk spans pages, slides or sheets. It spans
 * sections only if they are below a common heading, or tiny, and fill no more than a third of it.
 */
export function createChunker(sizes: ChunkSizes): Chunker {
  const { chunkSize } = sizes;
  const section = createSectionPacker(sizes, createTokenCounter());
  let previous: Origin | undefined;
  /** The last chunk, as long as another section may join it. */
  let open: Packed | undefined;

  function* add(passages: Iterable<Passage>): Generator<TextChunk> {
    for (const passage of passages) {
      if (passage.text.trim() === '') continue;
      if (previous && !continues(previous, passage.origin)) yield* chunksOf(section.end());
      previous = passage.origin;
      yield* chunksOf(section.add(passage));
    }
  }

  function* end(): Generator<TextChunk> {
    yield* chunksOf(section.end());
    if (open) yield toChunk(open);
    open = previous = undefined;
  }

  function continues(before: Origin, origin: Origin): boolean {
    // A few words above the first heading belong to what is below it.
    const above = before.heading === undefined && section.waiting() < chunkSize / 4;
    return inSamePlace(before, origin) && (above || before.heading === origin.heading);
  }

  function* chunksOf(packed: Packed[]): Generator<TextChunk> {
    for (const next of packed) {
      if (open && fitTogether(open, next)) {
        open = joined(open, next);
      } else {
        if (open) yield toChunk(open);
        open = next;
      }
    }
  }

  function fitTogether(a: Packed, b: Packed): boolean {
    const [before, after] = [originOf(a), originOf(b)];
    const related = commonHeading(before, after) || Math.min(a.tokens, b.tokens) < chunkSize / 10;
    const small = a.tokens + b.tokens <= chunkSize / 3;
    return a.complete && b.complete && small && Boolean(related) && inSamePlace(before, after);
  }

  return { add: (passages) => [...add(passages)], end: () => [...end()] };
}

function joined(a: Packed, b: Packed): Packed {
  const [first, ...others] = b.pieces;
  const pieces = [...a.pieces, ...(first ? [{ ...first, gap: '\n\n' as const }] : []), ...others];
  return { pieces, tokens: a.tokens + b.tokens, complete: true };
}

function toChunk(packed: Packed): TextChunk {
  const [first, ...others] = packed.pieces;
  const content = others.reduce((text, piece) => text + piece.gap + piece.text, first?.text ?? '');
  return { content: content.trimEnd(), origin: originOf(packed) };
}

function originOf({ pieces }: Packed): Origin {
  return originFrom(pieces[0]?.origin ?? {}, pieces.at(-1)?.origin ?? {});
}
