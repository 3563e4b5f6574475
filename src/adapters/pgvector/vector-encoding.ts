import type { Pool } from 'pg';
import type { Vector } from '../../ports/language-model.ts';

/** How the database behind a pool stores vectors, and the binary forms in which it takes them. */
export interface VectorEncoding {
  /** The SQL type behind the domain `embedding`. */
  type: 'vector' | 'halfvec';
  /** A vector as a binary parameter. */
  one(vector: Vector): Buffer;
  /** Vectors as one binary array parameter. */
  many(vectors: ArrayLike<number>[]): Buffer;
}

/** Asks the database what the domain `embedding` is made of. */
export async function readVectorEncoding(pool: Pool): Promise<VectorEncoding> {
  const { rows } = await pool.query<{ type: VectorEncoding['type']; oid: number }>(
    `SELECT base.typname AS type, base.oid::int FROM pg_type AS domain
     JOIN pg_type AS base ON base.oid = domain.typbasetype
     WHERE domain.oid = 'embedding'::regtype`,
  );
  const [found] = rows;
  if (!found) throw new Error('The database has no type for embeddings.');
  const { type, oid } = found;
  return {
    type,
    one(vector) {
      const encoded = Buffer.allocUnsafeSlow(bytesOf(type, vector));
      write(type, vector, encoded, 0);
      return encoded;
    },
    many: (vectors) => encodeArray(type, oid, vectors),
  };
}

/** The signs of a vector as a binary `bit(n)` parameter: what `binary_quantize` makes of it. */
export function encodeSigns(vector: Vector): Buffer {
  const header = Buffer.alloc(4);
  header.writeInt32BE(vector.length);
  return Buffer.concat([header, signsOf(vector)]);
}

/** A bit for each number, whether it is above zero. */
export function signsOf(vector: Vector): Uint8Array {
  const signs = new Uint8Array(Math.ceil(vector.length / 8));
  for (let at = 0; at < vector.length; at++) {
    const byte = at >> 3;
    if ((vector[at] as number) > 0) signs[byte] = (signs[byte] as number) | (0x80 >> (at & 7));
  }
  return signs;
}

/** In bytes: dimensions and an unused field in 16 bits each, then the numbers. */
function bytesOf(type: VectorEncoding['type'], { length }: ArrayLike<number>): number {
  return 4 + length * (type === 'vector' ? 4 : 2);
}

/** Writes pgvector's binary form of a vector, all big-endian, to a place that is a multiple of 4. */
function write(
  type: VectorEncoding['type'],
  vector: ArrayLike<number>,
  target: Buffer,
  at: number,
): void {
  target.writeUInt16BE(vector.length, at);
  target.writeUInt16BE(0, at + 2);
  const numbers = target.subarray(at + 4, at + bytesOf(type, vector));
  const { buffer, byteOffset } = numbers;
  if (type === 'vector') {
    new Float32Array(buffer, byteOffset, vector.length).set(vector);
    numbers.swap32();
  } else {
    new Float16Array(buffer, byteOffset, vector.length).set(vector);
    numbers.swap16();
  }
}

/** PostgreSQL's binary form of an array of one dimension: a header, then each element after its length. */
function encodeArray(
  type: VectorEncoding['type'],
  oid: number,
  vectors: ArrayLike<number>[],
): Buffer {
  const header = [1, 0, oid, vectors.length, 1];
  const size = vectors.reduce((sum, vector) => sum + 4 + bytesOf(type, vector), 4 * header.length);
  // Not of the pool that small buffers share: there it might begin anywhere.
  const encoded = Buffer.allocUnsafeSlow(size);
  let at = 0;
  for (const number of header) at = encoded.writeUInt32BE(number, at);
  for (const vector of vectors) {
    at = encoded.writeUInt32BE(bytesOf(type, vector), at);
    write(type, vector, encoded, at);
    at += bytesOf(type, vector);
  }
  return encoded;
}
