/** Writes values of a type as elements of a binary array. */
export interface ElementEncoding<T> {
  /** The OID of the type. */
  oid: number;
  /** In bytes. */
  sizeOf(element: T): number;
  /** Writes `sizeOf` bytes, from the given offset. */
  write(element: T, bytes: Buffer, at: number): void;
}

type Writing<T> = Omit<ElementEncoding<T>, 'oid'>;

const HEADER = 5;
const FIELD_BYTES = 4;

/** Encodes a value by itself. */
export function encodeOne<T>(value: T, { sizeOf, write }: Writing<T>): Buffer {
  const encoded = Buffer.allocUnsafe(sizeOf(value));
  write(value, encoded, 0);
  return encoded;
}

/**
 * Encodes a one-dimensional array in PostgreSQL's binary form: a header, then the length and the bytes of
 * each element. Elements are written directly into the buffer that is sent: with a buffer for each of them,
 * garbage collection took a third of the time of an upload.
 */
export function encodeArray<T>(
  elements: readonly T[],
  { oid, sizeOf, write }: ElementEncoding<T>,
): Buffer {
  const sizes = elements.map(sizeOf);
  const size = sizes.reduce((sum, size) => sum + FIELD_BYTES + size, FIELD_BYTES * HEADER);
  const encoded = Buffer.allocUnsafe(size);
  let at = 0;
  for (const field of [1, 0, oid, elements.length, 1]) at = encoded.writeUInt32BE(field, at);
  elements.forEach((element, index) => {
    const size = sizes[index] as number;
    at = encoded.writeUInt32BE(size, at);
    write(element, encoded, at);
    at += size;
  });
  return encoded;
}

export const TEXT: ElementEncoding<string> = {
  oid: 25,
  sizeOf: (text) => Buffer.byteLength(text),
  write: (text, bytes, at) => bytes.write(text, at),
};

export const BYTES: ElementEncoding<Uint8Array> = {
  oid: 17,
  sizeOf: ({ length }) => length,
  write: (source, bytes, at) => bytes.set(source, at),
};

/** Of `bit(n)`, where n is a multiple of 8. */
export const BITS: ElementEncoding<Uint8Array> = {
  oid: 1560,
  sizeOf: ({ length }) => FIELD_BYTES + length,
  write: (bits, bytes, at) => bytes.set(bits, bytes.writeInt32BE(8 * bits.length, at)),
};
