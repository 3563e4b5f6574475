import type { IncomingMessage } from 'node:http';
import type { Bucket, Upload } from './buckets.ts';
import { bodyTooLarge, refusal } from './refusals.ts';

const JSON_BYTES = 1024 ** 2;

/** The body of a JSON call. */
export async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (Number(request.headers['content-length'] ?? 0) > JSON_BYTES) throw bodyTooLarge();
  const body = await readAll(request);
  return body.length === 0 ? {} : JSON.parse(body.toString());
}

/** What is uploaded, within the limits of the bucket. */
export async function readUpload(
  request: IncomingMessage,
  bucket: Bucket,
  sizeLimit: number,
): Promise<Upload> {
  const most = Math.min(sizeLimit, bucket.file_size_limit ?? Number.POSITIVE_INFINITY);
  const contentType = request.headers['content-type'] ?? '';
  if (contentType.startsWith('multipart/form-data')) {
    return readForm(request, contentType, bucket, most);
  }
  if (!/^[\w.+-]+\/[\w.+-]+\s*(;|$)/.test(contentType)) throw refusal('InvalidMimeType');
  assertType(bucket, contentType);
  // Only a length that is told is looked at: a chunked body may be of any.
  if (Number(request.headers['content-length'] ?? 0) > most) throw refusal('EntityTooLarge');
  const metadata = request.headers['x-metadata'];
  return {
    content: await readAll(request),
    contentType,
    cacheControl: request.headers['cache-control'] ?? 'no-cache',
    userMetadata:
      typeof metadata === 'string' ? JSON.parse(Buffer.from(metadata, 'base64').toString()) : {},
  };
}

/** Blobs come as a form, and say their type there. */
async function readForm(
  request: IncomingMessage,
  contentType: string,
  bucket: Bucket,
  most: number,
): Promise<Upload> {
  const body = await readAll(request);
  const form = await new Response(body, { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => {
      throw refusal('InvalidRequest', 'Unexpected end of multipart data');
    });
  const file = form.get('');
  if (!(file instanceof Blob)) throw refusal('InvalidRequest', 'Unexpected end of multipart data');
  const type = file.type || 'application/octet-stream';
  assertType(bucket, type);
  if (file.size > most) throw refusal('EntityTooLarge');
  const metadata = String(form.get('metadata') ?? '{}');
  return {
    content: Buffer.from(await file.arrayBuffer()),
    contentType: type,
    cacheControl: form.get('cacheControl') ? `max-age=${form.get('cacheControl')}` : 'no-cache',
    userMetadata: metadata.length > JSON_BYTES ? {} : JSON.parse(metadata),
  };
}

function assertType({ allowed_mime_types: allowed }: Bucket, type: string): void {
  const isAllowed =
    !allowed ||
    allowed.some(
      (one) => one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))),
    );
  if (!isAllowed) throw refusal('InvalidMimeType', `mime type ${type} is not supported`);
}

async function readAll(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  return Buffer.concat(await request.toArray());
}
