import { type Bucket, newBucket } from './buckets.ts';
import { type Call, demand, findBucket, route } from './call.ts';
import { refusal } from './refusals.ts';
import { readJson } from './requests.ts';

export const BUCKET_ROUTES = {
  createBucket: route('POST', '/bucket', async ({ request, server, rights }) => {
    const { name, ...settings } = (await readJson(request)) as Partial<Bucket>;
    demand(rights, 'buckets');
    const bucket = newBucket({ ...settings, name: String(name) });
    if (server.buckets.has(bucket.id)) throw refusal('BucketAlreadyExists');
    server.buckets.set(bucket.id, bucket);
    return { body: { name: bucket.name } };
  }),

  getBucket: route('GET', '/bucket/:bucket', (call) => {
    const { objects: _, ...bucket } = findVisibleBucket(call);
    return { body: { owner: '', ...bucket } };
  }),

  deleteBucket: route('DELETE', '/bucket/:bucket', (call) => {
    const { id, objects } = findVisibleBucket(call);
    if (objects.size > 0) throw refusal('ResourceNotEmpty');
    call.server.buckets.delete(id);
    return { body: { message: 'Successfully deleted' } };
  }),
};

function findVisibleBucket(call: Call): Bucket {
  if (!call.rights.includes('buckets')) throw refusal('NoSuchBucket');
  return findBucket(call);
}
