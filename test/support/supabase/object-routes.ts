import { assertKey, rowOf, store } from './buckets.ts';
import { type Call, demand, findBucket, findObject, route, visibleObjects } from './call.ts';
import { checkUrl, signUrl } from './keys.ts';
import { listFolder } from './list.ts';
import { refusal } from './refusals.ts';
import { readJson, readUpload } from './requests.ts';
import { dispositionOf, type Reply, serveObject } from './serve-object.ts';
import { readExpiresIn, readPaths } from './validation.ts';

/** The first that matches counts: a bucket called `sign` or `info` cannot be reached. */
export const OBJECT_ROUTES = {
  sign: route('POST', '/object/sign/:bucket/*', async (call) => {
    const { request, server, bucket, key, rawKey } = call;
    const expiresIn = readExpiresIn(await readJson(request));
    assertKey(key);
    findObject(call);
    const token = await signUrl(server.linkSecret, `${bucket}/${key}`, expiresIn);
    return { body: { signedURL: `/object/sign/${bucket}/${decodeURI(rawKey)}?token=${token}` } };
  }),

  signMany: route('POST', '/object/sign/:bucket', async (call) => {
    const { request, server, bucket } = call;
    const body = await readJson(request);
    const expiresIn = readExpiresIn(body);
    const objects = visibleObjects(call);
    const signed = readPaths(body, 'paths', 1000).map(async (path) => {
      if (!objects.has(path)) return { error: UNSIGNED, path, signedURL: null };
      const token = await signUrl(server.linkSecret, `${bucket}/${path}`, expiresIn);
      return { error: null, path, signedURL: `/object/sign/${bucket}/${path}?token=${token}` };
    });
    return { body: await Promise.all(signed) };
  }),

  list: route('POST', '/object/list/:bucket', async (call) => ({
    body: listFolder(visibleObjects(call), await readJson(call.request)),
  })),

  upload: route('POST', '/object/:bucket/*', (call) =>
    upload(call, call.request.headers['x-upsert'] === 'true'),
  ),

  update: route('PUT', '/object/:bucket/*', (call) => upload(call, true)),

  remove: route('DELETE', '/object/:bucket', async (call) => {
    const { request, server, rights } = call;
    const most = server.limitsRemovals ? 1000 : Number.POSITIVE_INFINITY;
    const paths = new Set(readPaths(await readJson(request), 'prefixes', most));
    if (!rights.includes('delete')) return { body: [] };
    const objects = visibleObjects(call);
    const rows = [...paths].flatMap((path) => {
      const object = objects.get(path);
      return object && objects.delete(path) ? [rowOf(call.bucket, path, object)] : [];
    });
    return { body: rows };
  }),

  fetchSigned: route(
    'GET',
    '/object/sign/:bucket/*',
    async ({ request, server, bucket, key, query }) => {
      assertKey(key);
      const end = await checkUrl(server.linkSecret, query.getAll('token'), `${bucket}/${key}`);
      const object = server.buckets.get(bucket)?.objects.get(key);
      if (!object) throw refusal('NoSuchKey');
      return serveObject(request, object, {
        ...(end !== undefined && { expires: new Date(end * 1000).toUTCString() }),
        ...dispositionOf(query.get('download')),
      });
    },
    { open: true },
  ),

  info: route(
    'GET',
    '/object/info/:bucket/*',
    (call) => {
      assertKey(call.key);
      findBucket(call);
      const object = findObject(call);
      const { id, version, etag, cacheControl, contentType, content } = object;
      return {
        body: {
          id,
          name: call.key,
          version,
          bucket_id: call.bucket,
          size: content.length,
          content_type: contentType,
          cache_control: cacheControl,
          etag,
          metadata: object.userMetadata,
          last_modified: object.updated_at,
          created_at: object.created_at,
        },
      };
    },
    { hidesBadKeys: true },
  ),

  download: route('GET', '/object/:bucket/*', download, { hidesBadKeys: true }),
};

const UNSIGNED = 'Either the object does not exist or you do not have access to it';

/**
 * Whether there is an object is looked at before the body comes, and never again: of several
 * uploads at once without `upsert`, most believe that they were the first.
 */
async function upload(call: Call, upsert: boolean): Promise<Reply> {
  const { request, server, rights, key } = call;
  assertKey(key);
  const bucket = findBucket(call);
  demand(rights, 'insert');
  if (!upsert && bucket.objects.has(key)) throw refusal('KeyAlreadyExists');
  const uploaded = await readUpload(request, bucket, server.sizeLimit);
  await server.beforeStore();
  const { id } = store(bucket, key, uploaded);
  return { body: { Key: `${bucket.id}/${key}`, Id: id } };
}

function download(call: Call): Reply {
  assertKey(call.key);
  findBucket(call);
  const object = findObject(call);
  return serveObject(call.request, object, { 'cache-control': object.cacheControl });
}
