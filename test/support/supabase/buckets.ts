import { createHash, randomUUID } from 'node:crypto';
import { refusal } from './refusals.ts';

export interface Bucket {
  id: string;
  name: string;
  public: boolean;
  file_size_limit: number | null;
  allowed_mime_types: string[] | null;
  created_at: string;
  updated_at: string;
  objects: Map<string, StoredObject>;
}

export interface StoredObject {
  id: string;
  version: string;
  created_at: string;
  updated_at: string;
  content: Buffer;
  contentType: string;
  cacheControl: string;
  userMetadata: object;
  /** An MD5 in quotes. */
  etag: string;
}

/** What an upload brings. */
export type Upload = Pick<
  StoredObject,
  'content' | 'contentType' | 'cacheControl' | 'userMetadata'
>;

/** The server's own rules (src/storage/limits.ts). */
const KEY = /^[A-Za-z0-9_/!.*'() &$@=;:+,?-]+$/;
const BUCKET_NAME = /^[A-Za-z0-9_!.*'() &$@=;:+,?-]{1,100}$/;

export function assertKey(key: string): void {
  if (!KEY.test(key)) throw refusal('InvalidKey', `Invalid key: ${key}`);
  if (/(^|\/)\.\.?(\/|$)/.test(key)) {
    throw refusal('InvalidKey', `Invalid key: ${key} contains dot path segment`);
  }
}

export function newBucket(settings: Pick<Bucket, 'name'> & Partial<Bucket>): Bucket {
  const { name } = settings;
  if (!BUCKET_NAME.test(name) || name.trim() !== name || name.endsWith('--table-s3')) {
    throw refusal('InvalidBucketName');
  }
  const now = new Date().toISOString();
  return {
    id: name,
    public: false,
    file_size_limit: null,
    allowed_mime_types: null,
    created_at: now,
    updated_at: now,
    objects: new Map(),
    ...settings,
  };
}

/** Keeps what identifies an object that is replaced: its `id` and `created_at`. */
export function store({ objects }: Bucket, key: string, upload: Upload): StoredObject {
  const before = objects.get(key);
  const now = new Date().toISOString();
  const object = {
    id: before?.id ?? randomUUID(),
    version: randomUUID(),
    created_at: before?.created_at ?? now,
    updated_at: now,
    etag: `"${createHash('md5').update(upload.content).digest('hex')}"`,
    ...upload,
  };
  objects.set(key, object);
  return object;
}

/** As `remove` tells of an object. */
export function rowOf(bucketId: string, name: string, object: StoredObject): object {
  const { id, version, created_at, updated_at, userMetadata } = object;
  return {
    name,
    bucket_id: bucketId,
    owner: '',
    owner_id: '',
    version,
    id,
    updated_at,
    created_at,
    last_accessed_at: created_at,
    metadata: metadataOf(object),
    user_metadata: userMetadata,
  };
}

export function metadataOf({ etag, content, contentType, cacheControl, updated_at }: StoredObject) {
  return {
    eTag: etag,
    size: content.length,
    mimetype: contentType,
    cacheControl,
    lastModified: updated_at,
    contentLength: content.length,
    httpStatusCode: 200,
  };
}
