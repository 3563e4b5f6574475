import { readFileSync } from 'node:fs';
import { createLexicalEmbedder } from '../../src/adapters/models/offline/lexical-embedder.ts';

/* Vectors such as embedding models make, the same for the same seed. */

const DIMENSIONS = 1536;

/** What the vectors of a kind have in common with all others, with their topic and with their file. */
interface Mixture {
  mean: number;
  topic: number;
  file: number;
  chunk: number;
  /** How much of a question is about a chunk and its file; the rest is noise. */
  question: number;
  /** Makes a number of noise of one that is about normal, and its place; the number itself unless given. */
  shape?(normal: number, at: number, random: () => number): number;
  /** Whether noise is spread over all numbers after that. */
  spread?: boolean;
}

const DENSE = { mean: 0.39, topic: 0.25, file: 0.42, chunk: 0.78, question: 0.87 };
const ADA = { mean: 0.84, topic: 0.14, file: 0.23, chunk: 0.47, question: 0.9 };
/** How quickly the weights of the dimensions of dense models fall, before they are spread. */
const FALLING = Float64Array.from({ length: DIMENSIONS }, (_, at) => (at + 1) ** -0.35);
const falling = (normal: number, at: number) => normal * (FALLING[at] as number);
const padded = (dimensions: number) => (normal: number, at: number) =>
  at < dimensions ? normal : 0;

/** Two of the chunks of `ada` have a cosine of 0.7 at random; `isotropic` is noise. */
const MIXTURES = {
  clustered: { ...DENSE, shape: falling, spread: true },
  ada: { ...ADA, shape: falling, spread: true },
  isotropic: { mean: 0, topic: 0, file: 0, chunk: 1, question: 0.5 },
  'heavy-tailed': { ...DENSE, shape: (normal) => normal ** 3 },
  decaying: { ...DENSE, shape: (normal, at) => normal / Math.sqrt(at + 1) },
  'few-large': { ...DENSE, shape: (normal, at) => (at % 256 === 7 ? 30 * normal : normal) },
  'padded-384': { ...DENSE, shape: padded(384) },
  'padded-768': { ...DENSE, shape: padded(768) },
  // About thirty words of 1,536 in each part of a chunk and of a question: most are only in one of them.
  sparse: { ...DENSE, shape: (normal, _, random) => (random() < 0.02 ? Math.abs(normal) : 0) },
  // No more than fifty different ones, each chunk being one of them.
  equal: { ...DENSE, shape: falling, spread: true },
} satisfies Record<string, Mixture>;

/** `lexical` is what the lexical model makes of windows of real documents. */
export type VectorKind = keyof typeof MIXTURES | 'lexical';

export const VECTOR_KINDS = [...Object.keys(MIXTURES), 'lexical'] as VectorKind[];

/** Makes vectors of length 1. */
export interface Vectors {
  /** A chunk's vector, of a file of a topic; each has something of its own. */
  chunk(topic: string, file: string, random: () => number): Float32Array;
  /** The vector of a question about a chunk of a file: what it says, and what its file is about. */
  question(about: Float32Array, topic: string, file: string, random: () => number): Float32Array;
}

/** Equal names of topics and files give equal parts: all of a topic are nearer than those of others. */
export function createVectors(kind: VectorKind, seed = 1): Vectors {
  if (kind === 'lexical') return createLexical();
  const mixed = createMixed(MIXTURES[kind], seed);
  return kind === 'equal' ? { ...mixed, chunk: oneOf(50, mixed.chunk) } : mixed;
}

function createLexical(): Vectors {
  const embed = createLexicalEmbedder();
  const words = ['gpl-3.0.txt', 'mpl-2.0.txt', 'apache-2.0.txt', 'employee-handbook.md']
    .map((name) => new URL(`../bench/answers/documents/${name}`, import.meta.url))
    .flatMap((document) => readFileSync(document, 'utf8').split(/\s+/));
  const windowOf = (length: number, random: () => number) => {
    const start = Math.floor(random() * (words.length - length));
    return embed(words.slice(start, start + length).join(' '));
  };
  return {
    chunk: (_topic, _file, random) => windowOf(60 + Math.floor(140 * random()), random),
    question: (_about, _topic, _file, random) => windowOf(4 + Math.floor(8 * random()), random),
  };
}

function oneOf(count: number, make: Vectors['chunk']): Vectors['chunk'] {
  const made: Float32Array[] = [];
  return (topic, file, random) => {
    const at = Math.floor(count * random());
    made[at] ??= make(topic, file, random);
    return made[at];
  };
}

/** Numbers from 0 to 1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

function createMixed(mixture: Mixture, seed: number): Vectors {
  const rotate = createRotation(createRandom(seed));
  const parts = new Map<string, Float32Array>();
  const { shape = (normal: number) => normal } = mixture;

  /** A direction; equal names give the same. */
  function part(name: string): Float32Array {
    const known = parts.get(name) ?? noise(createRandom(hashOf(name) ^ seed));
    parts.set(name, known);
    return known;
  }

  function noise(random: () => number): Float32Array {
    const numbers = new Float32Array(DIMENSIONS);
    for (let at = 0; at < DIMENSIONS; at++) numbers[at] = shape(gaussian(random), at, random);
    return toLength1(mixture.spread ? rotate(numbers) : numbers);
  }

  const subjectOf = (topic: string, file: string): [number, Float32Array][] => [
    [mixture.mean, part('')],
    [mixture.topic, part(topic)],
    [mixture.file, part(`${topic}/${file}`)],
  ];

  return {
    chunk: (topic, file, random) =>
      mix([...subjectOf(topic, file), [mixture.chunk, noise(random)]]),

    question(about, topic, file, random) {
      const asked = mix([
        [0.5, about],
        [0.7, mix(subjectOf(topic, file))],
      ]);
      return mix([
        [mixture.question, asked],
        [Math.sqrt(1 - mixture.question ** 2), noise(random)],
      ]);
    },
  };
}

function mix(parts: [weight: number, part: Float32Array][]): Float32Array {
  const mixed = new Float32Array(DIMENSIONS);
  for (const [weight, part] of parts) {
    for (let at = 0; at < DIMENSIONS; at++) {
      mixed[at] = (mixed[at] as number) + weight * (part[at] as number);
    }
  }
  return toLength1(mixed);
}

/** Spreads every dimension over all: signs, a Hadamard transform of each 512, a shuffle; twice. */
function createRotation(random: () => number): (vector: Float32Array) => Float32Array {
  const rounds = [0, 1].map(() => ({
    signs: Float32Array.from({ length: DIMENSIONS }, () => (random() < 0.5 ? -1 : 1)),
    order: Uint16Array.from(shuffled(DIMENSIONS, random)),
  }));
  return (vector) => {
    // Indexed loops: on typed arrays they are ten times as fast as iterators and callbacks.
    let turned = vector;
    for (const { signs, order } of rounds) {
      const next = new Float32Array(DIMENSIONS);
      for (let at = 0; at < DIMENSIONS; at++) {
        next[at] = ((turned[at] as number) * (signs[at] as number)) / Math.sqrt(512);
      }
      for (let start = 0; start < DIMENSIONS; start += 512) {
        hadamard(next.subarray(start, start + 512));
      }
      turned = new Float32Array(DIMENSIONS);
      for (let at = 0; at < DIMENSIONS; at++) turned[at] = next[order[at] as number] as number;
    }
    return turned;
  };
}

function hadamard(numbers: Float32Array): void {
  for (let half = 1; half < numbers.length; half *= 2) {
    for (let start = 0; start < numbers.length; start += 2 * half) {
      for (let at = start; at < start + half; at++) {
        const a = numbers[at] as number;
        const b = numbers[at + half] as number;
        numbers[at] = a + b;
        numbers[at + half] = a - b;
      }
    }
  }
}

function shuffled(length: number, random: () => number): number[] {
  const order = Array.from({ length }, (_, at) => at);
  return order
    .map((at) => ({ at, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ at }) => at);
}

/** Numbers with a mean of 0 and a deviation of 1: to draw one of many takes less than to make one. */
const NORMALS = makeNormals(2 ** 16, createRandom(0));

function makeNormals(count: number, random: () => number): Float32Array {
  const normals = new Float32Array(count);
  for (let at = 0; at < count; at++) {
    const length = Math.sqrt(-2 * Math.log(1 - random()));
    normals[at] = length * Math.cos(2 * Math.PI * random());
  }
  return normals;
}

function gaussian(random: () => number): number {
  return NORMALS[Math.floor(random() * NORMALS.length)] as number;
}

/** Changes the vector. */
function toLength1(vector: Float32Array): Float32Array {
  let squares = 0;
  for (let at = 0; at < vector.length; at++) squares += (vector[at] as number) ** 2;
  const length = Math.sqrt(squares) || 1;
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] as number) / length;
  return vector;
}

function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const character of name)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
