import { DIMENSIONS } from '../../../core/embedding.ts';
import { BATCH, type CodeKernel } from '../codes/code-kernel.ts';
import { BLOCK_CODES, SEGMENT_BYTES, SEGMENT_CODES } from '../codes/code-memory.ts';
import type { CodeQuestion } from '../codes/code-question.ts';
import type { LowerBound } from '../codes/error-bound.ts';
import { allChunks, type ChunkSet } from './chunk-set.ts';
import { createGrowingList } from './growing-list.ts';
import { inSlices } from './in-slices.ts';
import type { RoughEstimates } from './rough-estimates.ts';
import { createScanBuffers } from './scan-buffers.ts';
import { scanSigns } from './scan-signs.ts';

/** The columns of `chunk_index` that contain the code of a chunk. */
export interface StoredCode {
  signFactor: number;
  signs: Buffer;
  code: Buffer;
}

/** A chunk with its estimate from all four bits. */
export interface Candidate {
  /** The index of the chunk in the code list. */
  place: number;
  estimate: number;
  /** β² for the estimate. */
  error: number;
}

/**
 * The codes of a dataset's chunks. The index of a chunk is its position in the order of insertion.
 * Signs are stored separately: rough estimates for all chunks read only a quarter of the codes, and
 * the rest is read only for the chunks that remain.
 */
export function createCodeList(kernel: CodeKernel) {
  const segments: number[] = [];
  const keys = createGrowingList(BigInt64Array);
  const blocks = createGrowingList(Uint32Array);
  const factors = createGrowingList(Float32Array);
  const scanBuffers = createScanBuffers();
  let everyChunk: ChunkSet | undefined;
  let largestFactor = 0;
  let count = 0;

  return {
    get count() {
      return count;
    },
    bytes: (): number =>
      [keys, blocks, factors, scanBuffers].reduce(
        (sum, part) => sum + part.bytes(),
        segments.length * SEGMENT_BYTES,
      ),

    add(key: bigint, stored: StoredCode): void {
      const taken = count % SEGMENT_CODES;
      if (taken === 0) segments.push(kernel.allocate());
      const segment = segments.at(-1) as number;
      if (taken % BLOCK_CODES === 0) blocks.push(kernel.blockAddress(segment, taken));
      const factor = stored.signFactor / Math.sqrt(DIMENSIONS);
      kernel.write(segment, taken, stored, factor);
      factors.push(factor);
      largestFactor = Math.max(largestFactor, factor);
      keys.push(key);
      count++;
      everyChunk = undefined;
    },

    keyAt: (place: number): bigint => keys.at(place),

    /**
     * Rough estimates for chunks, until they are disposed of.
     *
     * @param wanted the chunks; default: all
     */
    async roughly(question: CodeQuestion, wanted?: ChunkSet): Promise<RoughEstimates & Disposable> {
      everyChunk ??= allChunks(count);
      const buffers = scanBuffers.acquire(everyChunk.length);
      const signs = { kernel, blocks: blocks.all(), factors: factors.all(), largestFactor };
      const rough = await scanSigns(signs, question, wanted ?? everyChunk, buffers);
      return { ...rough, [Symbol.dispose]: () => scanBuffers.release(buffers) };
    },

    /**
     * Estimates with all four bits.
     *
     * @param positions of the chunks in `rough`
     * @param bound chunks whose estimates are below it are left out
     */
    async closely(
      question: CodeQuestion,
      rough: RoughEstimates,
      positions: Uint32Array,
      bound: LowerBound,
    ): Promise<Candidate[]> {
      const found: Candidate[] = [];
      await inSlices(positions.length, BATCH, (from, to) => {
        const { addresses, sums } = kernel.refineInputs(to - from);
        // Indexed loops: on typed arrays they are ten times as fast as iterators and callbacks.
        for (let at = 0; at < to - from; at++) {
          const position = positions[from + at] as number;
          const place = rough.placeAt(position);
          const segment = segments[Math.floor(place / SEGMENT_CODES)] as number;
          addresses[at] = kernel.codeAddress(segment, place % SEGMENT_CODES);
          sums[at] = (rough.sums[position] as number) + question.tableOffset;
        }
        for (const { index, estimate, error } of kernel.refine(to - from, question, bound)) {
          const place = rough.placeAt(positions[from + index] as number);
          found.push({ place, estimate, error });
        }
      });
      return found;
    },

    /** Releases the memory. The list must not be used afterwards. */
    free(): void {
      for (const segment of segments.splice(0)) kernel.release(segment);
    },
  };
}

export type CodeList = ReturnType<typeof createCodeList>;
