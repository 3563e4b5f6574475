import type { Pool } from 'pg';
import type { Vector } from '../../ports/language-model.ts';
import { type ElementEncoding, encodeArray, encodeOne } from './array-encoding.ts';
import { SPARSE, type Sparse } from './keywords/sparse-encoding.ts';

type VectorType = 'vector' | 'halfvec';

/** How a database stores vectors, and the binary encodings of its parameters. */
export interface VectorEncoding {
  /** The base type of the domain `embedding`. */
  type: VectorType;
  /** Encodes a vector as a binary parameter. */
  one(vector: Vector): Buffer;
  /** Encodes vectors as one binary array parameter. */
  many(vectors: ArrayLike<number>[]): Buffer;
  /** Encodes sparse vectors as one binary `sparsevec[]` parameter. */
  sparse(many: Sparse[]): Buffer;
  /** Decodes a vector from its binary form. */
  read(encoded: Buffer): Vector;
}

/** Reads the base type of the domain `embedding` from the database. */
export async function readVectorEncoding(pool: Pool): Promise<VectorEncoding> {
  const { rows } = await pool.query<{ type: VectorType; oid: number; sparseOid: number }>(
    `SELECT base.typname AS type, base.oid::int, 'sparsevec'::regtype::oid::int AS "sparseOid"
     FROM pg_type AS domain
     JOIN pg_type AS base ON base.oid = domain.typbasetype
     WHERE domain.oid = 'embedding'::regtype`,
  );
  const [found] = rows;
  if (!found) throw new Error('The database has no type for embeddings.');
  const { type, oid, sparseOid } = found;
  const element = { oid, ...vectorOf(type) };
  return {
    type,
    one: (vector) => encodeOne(vector, element),
    read: (encoded) => decodeVector(type, encoded),
    many: (vectors) => encodeArray(vectors, element),
    sparse: (many) => encodeArray(many, { oid: sparseOid, ...SPARSE }),
  };
}

/**
 * Encodes a vector in pgvector's binary form, all big-endian: the number of dimensions and an
 * unused field in 16 bits each, then the numbers.
 */
function vectorOf(type: VectorType): Omit<ElementEncoding<ArrayLike<number>>, 'oid'> {
  const sizeOf = ({ length }: ArrayLike<number>) => 4 + length * (type === 'vector' ? 4 : 2);
  return {
    sizeOf,
    write(vector, bytes, at) {
      const { length } = vector;
      const start = bytes.writeUInt32BE(length * 2 ** 16, at);
      const numbers = bytes.subarray(start, at + sizeOf(vector));
      // Buffers, and the elements of arrays, begin at multiples of four bytes.
      if (type === 'vector') {
        new Float32Array(numbers.buffer, numbers.byteOffset, length).set(vector);
        numbers.swap32();
      } else {
        new Float16Array(numbers.buffer, numbers.byteOffset, length).set(vector);
        numbers.swap16();
      }
    },
  };
}

function decodeVector(type: VectorType, encoded: Buffer): Vector {
  // A copy, which is aligned and whose bytes may be swapped.
  const numbers = Buffer.from(Uint8Array.from(encoded.subarray(4)).buffer);
  const { buffer } = numbers;
  if (type === 'vector') {
    numbers.swap32();
    return new Float32Array(buffer);
  }
  numbers.swap16();
  return Float32Array.from(new Float16Array(buffer));
}
