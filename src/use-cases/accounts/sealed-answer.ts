import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';

const CIPHER = 'aes-256-gcm';
const BYTES = { iv: 12, tag: 16 };

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);

/**
 * An answer as it is stored: compressed JSON, encrypted, because it may contain a token.
 *
 * @param secret 32 bytes
 * @param context what the answer belongs to; it can only be opened with the same context
 */
export async function sealAnswer(
  answer: unknown,
  secret: Uint8Array,
  context: Buffer,
): Promise<Buffer> {
  const iv = randomBytes(BYTES.iv);
  const cipher = createCipheriv(CIPHER, secret, iv).setAAD(context);
  const sealed = cipher.update(await compress(JSON.stringify(answer)));
  return Buffer.concat([iv, sealed, cipher.final(), cipher.getAuthTag()]);
}

/** @returns `undefined` when it was sealed with another secret or in another context */
export async function openAnswer<T>(
  sealed: Buffer,
  secret: Uint8Array,
  context: Buffer,
): Promise<{ answer: T } | undefined> {
  const iv = sealed.subarray(0, BYTES.iv);
  const decipher = createDecipheriv(CIPHER, secret, iv)
    .setAAD(context)
    .setAuthTag(sealed.subarray(-BYTES.tag));
  try {
    const start = decipher.update(sealed.subarray(BYTES.iv, -BYTES.tag));
    const text = await expand(Buffer.concat([start, decipher.final()]));
    return { answer: JSON.parse(text.toString()) };
  } catch {
    return undefined;
  }
}
