import type { Pool } from 'pg';
import type { Vector } from '../../ports/language-model.ts';
import { encodeSparse, type Sparse } from './keywords/sparse-encoding.ts';

/** How a database stores vectors, and the binary encodings of its parameters. */
export interface VectorEncoding {
  /** The base type of the domain `embedding`. */
  type: 'vector' | 'halfvec';
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
  const { rows } = await pool.query<{
    type: VectorEncoding['type'];
    oid: number;
    sparseOid: number;
  }>(
    `SELECT base.typname AS type, base.oid::int, 'sparsevec'::regtype::oid::int AS "sparseOid"
     FROM pg_type AS domain
     JOIN pg_type AS base ON base.oid = domain.typbasetype
     WHERE domain.oid = 'embedding'::regtype`,
  );
  const [found] = rows;
  if (!found) throw new Error('The database has no type for embeddings.');
  const { type, oid, sparseOid } = found;
  return {
    type,
    one: (vector) => encodeVector(type, vector),
    read: (encoded) => decodeVector(type, encoded),
    many: (vectors) =>
      encodeArray(
        oid,
        vectors.map((vector) => encodeVector(type, vector)),
      ),
    sparse: (many) => encodeArray(sparseOid, many.map(encodeSparse)),
  };
}

/** Type OIDs of PostgreSQL. */
const OIDS = { bit: 1560, bytea: 17 };

/** Encodes bits as a binary `bit(n)` parameter. */
export function encodeBits(bits: Uint8Array): Buffer {
  const encoded = Buffer.allocUnsafe(4 + bits.length);
  encoded.writeInt32BE(8 * bits.length);
  encoded.set(bits, 4);
  return encoded;
}

/** Encodes bit strings as one binary `bit(n)[]` parameter. */
export function encodeBitsArray(many: Uint8Array[]): Buffer {
  return encodeArray(OIDS.bit, many.map(encodeBits));
}

/** Encodes byte strings as one binary `bytea[]` parameter. */
export function encodeBytesArray(many: Uint8Array[]): Buffer {
  return encodeArray(OIDS.bytea, many);
}

/**
 * Encodes a vector in pgvector's binary form, all big-endian: the number of dimensions and an
 * unused field in 16 bits each, then the numbers.
 */
function encodeVector(type: VectorEncoding['type'], vector: ArrayLike<number>): Buffer {
  const { length } = vector;
  // Not from the shared pool of small buffers, where it might not be aligned.
  const encoded = Buffer.allocUnsafeSlow(4 + length * (type === 'vector' ? 4 : 2));
  encoded.writeUInt32BE(length * 2 ** 16, 0);
  const numbers = encoded.subarray(4);
  if (type === 'vector') {
    new Float32Array(encoded.buffer, 4, length).set(vector);
    numbers.swap32();
  } else {
    new Float16Array(encoded.buffer, 4, length).set(vector);
    numbers.swap16();
  }
  return encoded;
}

function decodeVector(type: VectorEncoding['type'], encoded: Buffer): Vector {
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

/**
 * Encodes a one-dimensional array in PostgreSQL's binary form: a header, then the length and the
 * bytes of each element.
 */
function encodeArray(oid: number, elements: Uint8Array[]): Buffer {
  const header = [1, 0, oid, elements.length, 1];
  const size = elements.reduce((sum, { length }) => sum + 4 + length, 4 * header.length);
  const encoded = Buffer.allocUnsafe(size);
  let at = 0;
  for (const number of header) at = encoded.writeUInt32BE(number, at);
  for (const element of elements) {
    at = encoded.writeUInt32BE(element.length, at);
    encoded.set(element, at);
    at += element.length;
  }
  return encoded;
}
