import type { Pool } from 'pg';
import type { Vector } from '../../ports/language-model.ts';

/** How the database behind a pool stores vectors, and the binary forms in which it takes them. */
export interface VectorEncoding {
  /** The SQL type behind the domain `embedding`. */
  type: 'vector' | 'halfvec';
  /** A vector as a binary parameter. */
  one(vector: Vector): Buffer;
  /** Vectors as one binary array parameter. */
  many(vectors: Vector[]): Buffer;
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
  const one = type === 'vector' ? encodeVector : encodeHalfVector;
  return { type, one, many: (vectors) => encodeArray(oid, vectors.map(one)) };
}

/** The signs of a vector as a binary `bit(n)` parameter: what `binary_quantize` makes of it. */
export function encodeSigns(vector: Vector): Buffer {
  const encoded = Buffer.alloc(4 + Math.ceil(vector.length / 8));
  encoded.writeInt32BE(vector.length, 0);
  vector.forEach((number, at) => {
    const byte = 4 + (at >> 3);
    if (number > 0) encoded[byte] = (encoded[byte] ?? 0) | (0x80 >> (at & 7));
  });
  return encoded;
}

/** pgvector's binary form: dimensions and an unused field in 16 bits each, then the numbers, all big-endian. */
function encodeVector(vector: Vector): Buffer {
  return withHeader(vector.length, Buffer.from(new Float32Array(vector).buffer).swap32());
}

function encodeHalfVector(vector: Vector): Buffer {
  return withHeader(vector.length, Buffer.from(new Float16Array(vector).buffer).swap16());
}

function withHeader(dimensions: number, numbers: Buffer): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt16BE(dimensions, 0);
  return Buffer.concat([header, numbers]);
}

/** PostgreSQL's binary form of an array of one dimension. */
function encodeArray(elementType: number, elements: Buffer[]): Buffer {
  const header = Buffer.alloc(20);
  header.writeInt32BE(1, 0);
  header.writeInt32BE(0, 4);
  header.writeUInt32BE(elementType, 8);
  header.writeInt32BE(elements.length, 12);
  header.writeInt32BE(1, 16);
  const parts = elements.flatMap((element) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(element.length, 0);
    return [length, element];
  });
  return Buffer.concat([header, ...parts]);
}
