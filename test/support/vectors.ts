/* Vectors that look like embeddings, the same for the same seed. */

const DIMENSIONS = 1536;

/** What the vectors of a family have in common with all others, with their topic and with their file. */
interface Mixture {
  mean: number;
  topic: number;
  file: number;
  chunk: number;
  /** How much of a question is about a chunk and its file; the rest is noise. */
  question: number;
  /** How quickly the dimensions lose weight: 0 is as much in each. */
  decay: number;
}

/** `clustered` is as text-embedding-3 makes them, `ada` as ada-002 (two at random have a cosine of 0.7), `isotropic` noise. */
export const FAMILIES = {
  clustered: { mean: 0.39, topic: 0.25, file: 0.42, chunk: 0.78, question: 0.87, decay: 0.35 },
  ada: { mean: 0.84, topic: 0.14, file: 0.23, chunk: 0.47, question: 0.9, decay: 0.35 },
  isotropic: { mean: 0, topic: 0, file: 0, chunk: 1, question: 0.5, decay: 0 },
} satisfies Record<string, Mixture>;

export type Family = keyof typeof FAMILIES;

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

/** Makes vectors of length 1. Equal names give equal parts: all of a topic are nearer than those of others. */
export function createVectors(family: Family, seed = 1) {
  const mixture: Mixture = FAMILIES[family];
  const weights = Float32Array.from({ length: DIMENSIONS }, (_, at) => (at + 1) ** -mixture.decay);
  const rotate = createRotation(createRandom(seed));
  const parts = new Map<string, Float32Array>();

  /** A direction; equal names give the same. */
  function part(name: string): Float32Array {
    const known = parts.get(name) ?? rotate(noise(createRandom(hashOf(name) ^ seed)));
    parts.set(name, known);
    return known;
  }

  function noise(random: () => number): Float32Array {
    return toLength1(weights.map((weight) => weight * gaussian(random)));
  }

  /** A chunk's vector, of a file of a topic; each has something of its own. */
  function chunk(topic: string, file: string, random: () => number): Float32Array {
    return mix([
      [mixture.mean, part('')],
      [mixture.topic, part(topic)],
      [mixture.file, part(`${topic}/${file}`)],
      [mixture.chunk, rotate(noise(random))],
    ]);
  }

  /** The vector of a question about a chunk of a file: what it says, and what its file is about. */
  function question(about: Float32Array, topic: string, file: string, random: () => number) {
    const subject = mix([
      [mixture.mean, part('')],
      [mixture.topic, part(topic)],
      [mixture.file, part(`${topic}/${file}`)],
    ]);
    const asked = mix([
      [0.5, about],
      [0.7, subject],
    ]);
    return mix([
      [mixture.question, asked],
      [Math.sqrt(1 - mixture.question ** 2), rotate(noise(random))],
    ]);
  }

  return { chunk, question };
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
    order: shuffled(DIMENSIONS, random),
  }));
  return (vector) =>
    rounds.reduce((turned, { signs, order }) => {
      const next = turned.map((number, at) => (number * (signs[at] ?? 0)) / Math.sqrt(512));
      for (let start = 0; start < DIMENSIONS; start += 512) {
        hadamard(next.subarray(start, start + 512));
      }
      return Float32Array.from(order, (at) => next[at] ?? 0);
    }, vector);
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

/** About normal, with a mean of 0 and a deviation of 1: as near as three throws come. */
function gaussian(random: () => number): number {
  return 2 * (random() + random() + random()) - 3;
}

function toLength1(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const number of vector) squares += number * number;
  const length = Math.sqrt(squares) || 1;
  return vector.map((number) => number / length);
}

function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const character of name)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
