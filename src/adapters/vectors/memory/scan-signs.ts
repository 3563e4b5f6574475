import { BATCH, type CodeKernel } from '../codes/code-kernel.ts';
import { BLOCK_CODES } from '../codes/code-memory.ts';
import type { CodeQuestion } from '../codes/code-question.ts';
import type { ChunkSet } from './chunk-set.ts';
import { inSlices } from './in-slices.ts';
import { createRoughEstimates, type RoughEstimates } from './rough-estimates.ts';
import type { ScanBuffers } from './scan-buffers.ts';

/** How many blocks to compare in one call, and before other work on the event loop may run. */
const BLOCK_BATCH = BATCH / BLOCK_CODES;
const SLICE = 6 * BLOCK_BATCH;

/** The signs of a dataset's chunks. */
export interface Signs {
  kernel: CodeKernel;
  /** The addresses of their blocks, each of which has the chunks of one number of a `ChunkSet`. */
  blocks: Uint32Array;
  /** For each chunk, converts a sum over its signs to an inner product. */
  factors: Float32Array;
  largestFactor: number;
}

/**
 * Rough estimates for some chunks from their signs. A block is compared as a whole, even if only some
 * of its chunks are wanted.
 *
 * @param buffers for as many numbers as `wanted` has, used by the estimates
 */
export async function scanSigns(
  { kernel, blocks, factors, largestFactor }: Signs,
  question: CodeQuestion,
  wanted: ChunkSet,
  buffers: ScanBuffers,
): Promise<RoughEstimates> {
  const numbers = numbersWithChunks(wanted, buffers.numbers);
  const passing = buffers.passing.subarray(0, numbers.length);
  const sums = buffers.sums.subarray(0, BLOCK_CODES * numbers.length);
  const highest = buffers.highest.subarray(0, numbers.length);
  const addresses = new Uint32Array(BLOCK_BATCH);
  // Bits are centred on zero: half of the sum of all numbers is subtracted.
  const zero = question.sum / 2 - question.tableOffset;
  await inSlices(numbers.length, SLICE, (from, to) => {
    for (let start = from; start < to; start += BLOCK_BATCH) {
      const end = Math.min(to, start + BLOCK_BATCH);
      // Indexed loops: on typed arrays they are ten times as fast as iterators and callbacks.
      for (let at = start; at < end; at++) {
        addresses[at - start] = blocks[numbers[at] as number] as number;
        passing[at] = wanted[numbers[at] as number] as number;
      }
      const batch = addresses.subarray(0, end - start);
      const scanned = kernel.scan(batch, passing.subarray(start, end), question, zero);
      sums.set(scanned.sums, BLOCK_CODES * start);
      highest.set(scanned.highest, start);
    }
  });
  return createRoughEstimates({
    sums,
    zero,
    // Sums over bits are half as far from zero as sums over signs.
    factor: 2 * question.factor,
    factors,
    largestFactor,
    numbers,
    passing,
    highest,
  });
}

/** Writes the indexes of the numbers of a set that have chunks. */
function numbersWithChunks(set: ChunkSet, numbers: Uint32Array): Uint32Array {
  let count = 0;
  for (let at = 0; at < set.length; at++) if (set[at] !== 0) numbers[count++] = at;
  return numbers.subarray(0, count);
}
