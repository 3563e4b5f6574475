import { describe, expect, it } from 'vitest';
import { type ChunkCode, toChunkCode } from '../../../src/adapters/vectors/codes/chunk-code.ts';
import { createCodeKernel } from '../../../src/adapters/vectors/codes/code-kernel.ts';
import { toCodeQuestion } from '../../../src/adapters/vectors/codes/code-question.ts';
import { rotate } from '../../../src/adapters/vectors/codes/encode-kernel.ts';
import {
  lowerBoundOf,
  lowestEstimate,
  NO_BOUND,
} from '../../../src/adapters/vectors/codes/error-bound.ts';
import { errorOfSigns, toSignQuestion } from '../../../src/adapters/vectors/codes/sign-question.ts';
import {
  addChunk,
  countChunks,
  createChunkSet,
} from '../../../src/adapters/vectors/memory/chunk-set.ts';
import { type CodeList, createCodeList } from '../../../src/adapters/vectors/memory/code-list.ts';
import type { RoughEstimates } from '../../../src/adapters/vectors/memory/rough-estimates.ts';
import { createRandom, createVectors, VECTOR_KINDS } from '../../support/vectors.ts';

const DIMENSIONS = 1536;
const CHUNKS = 400;

it('the rotation is the one that stored codes are made with', () => {
  const first = Float32Array.from({ length: DIMENSIONS }, (_, at) => (at === 0 ? 1 : 0));
  const expected = [0.00263426, 0.00483374, 0.03491033, 0.00375957];
  expected.forEach((number, at) => {
    expect(rotate(first)[at]).toBeCloseTo(number, 7);
  });
});

describe.each(VECTOR_KINDS)('%s vectors', (kind) => {
  const random = createRandom(1);
  const vectors = createVectors(kind);
  const chunks = Array.from({ length: CHUNKS }, () => vectors.chunk('topic', 'file', random));
  const codes = chunks.map(toChunkCode);
  const asked = vectors.question(chunks[0] ?? new Float32Array(), 'topic', 'file', random);
  const truths = chunks.map((chunk) => product(chunk, asked));

  it('the rotation keeps inner products', () => {
    const rotated = Float32Array.from(rotate(asked));
    chunks.slice(0, 20).forEach((chunk, at) => {
      expect(product(rotate(chunk), rotated)).toBeCloseTo(truths[at] ?? 2, 5);
    });
  });

  it('estimates of codes in memory are as near as their errors say', async () => {
    const list = listOf(codes);
    const question = toCodeQuestion(asked) ?? never();
    const rough = await list.roughly(question);
    const roughly = codes.map(({ signFactor }, place) => {
      expect(rough.placeAt(place)).toBe(place);
      return { estimate: rough.estimateAt(place), error: errorOfSigns(signFactor) };
    });
    // Not in the order of their places: what belongs to which chunk must not be mixed up.
    const backwards = Uint32Array.from(chunks.keys()).reverse();
    const closely = await list.closely(question, rough, backwards, NO_BOUND);
    expect(closely.map(({ place }) => place)).toEqual(Array.from(backwards));
    for (const [found, most] of [
      [roughly, 0.035],
      [closely.reverse(), 0.004],
    ] as const) {
      expect(deviationOf(found, question.error)).toBeLessThan(1.4);
      const squares = found.map(({ estimate }, at) => (estimate - (truths[at] ?? 2)) ** 2);
      expect(Math.sqrt(squares.reduce((sum, square) => sum + square) / CHUNKS)).toBeLessThan(most);
    }
    list.free();
  });

  it('a bound leaves out only chunks that are farther than its score', async () => {
    const list = listOf(codes);
    const question = toCodeQuestion(asked) ?? never();
    const rough = await list.roughly(question);
    const everyone = await list.closely(question, rough, await rough.notBelow(NO_BOUND), NO_BOUND);
    expect(everyone).toHaveLength(CHUNKS);
    for (const score of truths.toSorted((a, b) => b - a).filter((_, rank) => rank % 50 === 9)) {
      const bound = lowerBoundOf(score, question.error);
      const found = await list.closely(question, rough, await rough.notBelow(bound), bound);
      const places = new Set(found.map(({ place }) => place));
      // Of all that remain, the estimates are what they are without a bound.
      const possible = everyone.filter(
        ({ estimate, error }) => estimate >= lowestEstimate(bound, error),
      );
      expect(found).toEqual(possible.filter(({ place }) => places.has(place)));
      const near = truths.flatMap((truth, place) => (truth >= score ? [place] : []));
      expect(near.filter((place) => !places.has(place))).toEqual([]);
    }
    list.free();
  });

  it('the highest rough estimates are found, of all chunks or of some', async () => {
    // The last block of codes is not full, and the codes need two segments.
    const list = listOf(codes.slice(0, CHUNKS - 3));
    const question = toCodeQuestion(asked) ?? never();
    const all = await list.roughly(question);
    const estimates = Float64Array.from({ length: CHUNKS - 3 }, (_, at) => all.estimateAt(at));
    for (const share of [1, 0.5, 0.01]) {
      const wanted = Array.from(estimates.keys()).filter(() => random() < share);
      const wantedPlaces = new Set(wanted);
      const set = createChunkSet(CHUNKS - 3);
      for (const place of wanted) addChunk(set, place);
      expect(countChunks(set)).toBe(wanted.length);
      const rough = await list.roughly(question, share === 1 ? undefined : set);
      for (const count of [1, 20, CHUNKS]) {
        const expected = wanted.toSorted((a, b) => (estimates[b] ?? 2) - (estimates[a] ?? 2));
        const found = Array.from(await rough.highestOf(count), rough.placeAt);
        expect(found.filter((place) => !wantedPlaces.has(place))).toEqual([]);
        // Equal vectors have equal estimates: any of them will do.
        const least = estimates[expected[Math.min(count, wanted.length) - 1] ?? 0] ?? 2;
        const high = found.filter((place) => (estimates[place] ?? -2) >= least);
        expect(high.length).toBeGreaterThanOrEqual(Math.min(count, wanted.length));
        const bound = { highest: least, slope: 0, constant: 0 };
        const atLeast = Array.from(await rough.notBelow(bound), rough.placeAt);
        expect(atLeast).toEqual(wanted.filter((place) => (estimates[place] ?? -2) >= least));
      }
    }
    list.free();
  });

  it('estimates of signs are never lower than their errors say', () => {
    const { planes, scale, error } = toSignQuestion(asked) ?? never();
    const found = codes.map(({ signs, signFactor }) => {
      const sum =
        3 * DIMENSIONS - 4 * differing(signs, planes[0]) - 2 * differing(signs, planes[1]);
      return { estimate: sum * signFactor * scale, error: errorOfSigns(signFactor) };
    });
    // Higher ones there are: the roundings of what points the same way are alike.
    expect(deviationOf(found, error)).toBeLessThan(2.5);
  });

  /** The errors of estimates, as a multiple of those that are expected; none may be too low by its margin. */
  function deviationOf(found: { estimate: number; error: number }[], question: number): number {
    let squares = 0;
    found.forEach(({ estimate, error }, at) => {
      const truth = truths[at] ?? 2;
      const margin = truth - lowestEstimate(lowerBoundOf(truth, question), error);
      expect(truth - estimate).toBeLessThan(margin);
      squares += ((4.5 * (estimate - truth)) / margin) ** 2;
    });
    return Math.sqrt(squares / found.length);
  }
});

it('the estimates of a search stay what they are while others begin and end', async () => {
  const vectors = createVectors('clustered');
  const random = createRandom(1);
  const chunks = Array.from({ length: 40 }, () => vectors.chunk('topic', 'file', random));
  const list = listOf(chunks.map(toChunkCode));
  const [first, second, third] = chunks.map((chunk) => toCodeQuestion(chunk) ?? never());
  const estimatesOf = ({ estimateAt }: RoughEstimates) => chunks.map((_, at) => estimateAt(at));

  const one = await list.roughly(first ?? never());
  const expected = estimatesOf(one);
  one[Symbol.dispose]();
  using again = await list.roughly(first ?? never());
  const other = await list.roughly(second ?? never());
  expect(estimatesOf(other)).not.toEqual(expected);
  other[Symbol.dispose]();
  using _ = await list.roughly(third ?? never());
  expect(estimatesOf(again)).toEqual(expected);
});

it('a vector of zeros is as near to every other as it is, and a question of zeros has no direction', async () => {
  const zeros = new Float32Array(DIMENSIONS);
  const code = toChunkCode(zeros);
  expect(code.signFactor).toBe(0);
  const list = listOf([code]);
  const asked = createVectors('isotropic').chunk('', '', createRandom(1));
  const { estimateAt } = await list.roughly(toCodeQuestion(asked) ?? never());
  expect(estimateAt(0)).toBeCloseTo(0);
  expect(toCodeQuestion(zeros)).toBeUndefined();
  expect(toSignQuestion(zeros)).toBeUndefined();
});

/** A code list of codes as the database gives them. */
function listOf(codes: ChunkCode[]): CodeList {
  const list = createCodeList(createCodeKernel());
  for (const [at, { signFactor, signs, code }] of codes.entries()) {
    list.add(BigInt(at), { signFactor, signs: Buffer.from(signs), code: Buffer.from(code) });
  }
  return list;
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}

function differing(a: Uint8Array, b: Uint8Array): number {
  let bits = 0;
  a.forEach((byte, at) => {
    for (let left = byte ^ (b[at] as number); left > 0; left &= left - 1) bits++;
  });
  return bits;
}

function never(): never {
  throw new Error('the question has a direction');
}
