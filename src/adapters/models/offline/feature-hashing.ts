import { DIMENSIONS } from '../../../core/embedding.ts';

/** A polynomial hash, which can be computed for two joined texts from their hashes. */
export interface JoinableHash {
  sum: number;
  /** The factor for the sum of a text before it. */
  shift: number;
}

const BASE = 0x01000193;

export function hashOf(text: string): JoinableHash {
  let sum = 0;
  let shift = 1;
  for (let i = 0; i < text.length; i++) {
    sum = (Math.imul(sum, BASE) + text.charCodeAt(i)) | 0;
    shift = Math.imul(shift, BASE);
  }
  return { sum, shift };
}

/** The hash of both texts joined. */
export function joinHashes(first: JoinableHash, second: JoinableHash): JoinableHash {
  return {
    sum: (Math.imul(first.sum, second.shift) + second.sum) | 0,
    shift: Math.imul(first.shift, second.shift),
  };
}

/** Adds a value to a dimension. */
export type Add = (dimension: number, value: number) => void;

/**
 * Distributes a feature, given by its hash, over several dimensions with pseudorandom signs. Two
 * features that collide then do so in some of their dimensions only, and the expected error is 0.
 */
export function spread(hash: number, strength: number, places: number, add: Add): void {
  const share = strength / Math.sqrt(places);
  for (let place = 1; place <= places; place++) {
    const bits = mix((hash + Math.imul(place, 0x9e3779b1)) | 0);
    add((bits >>> 1) % DIMENSIONS, bits & 1 ? share : -share);
  }
}

/** MurmurHash3's finalizer: every bit of the input changes half of the bits of the output. */
function mix(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

export function emptyVector(): Float32Array<ArrayBuffer> {
  return new Float32Array(DIMENSIONS);
}

export function addTo(vector: Float32Array): Add {
  return (dimension, value) => {
    vector[dimension] = (vector[dimension] ?? 0) + value;
  };
}

/** Scales a vector to length 1, in place. */
export function normalise(vector: Float32Array): void {
  const length = lengthOf(vector);
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / length;
}

export function lengthOf(vector: Float32Array): number {
  let squares = 0;
  for (const value of vector) squares += value * value;
  return Math.sqrt(squares);
}
