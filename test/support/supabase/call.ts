import type { IncomingMessage } from 'node:http';
import type { Bucket, StoredObject } from './buckets.ts';
import type { Right, Secret } from './keys.ts';
import { refusal } from './refusals.ts';
import type { Reply } from './serve-object.ts';

/** What a server keeps, and how it is set up. */
export interface ServerState {
  buckets: Map<string, Bucket>;
  secret: Secret;
  /** Signs URLs. */
  linkSecret: Secret;
  /** By role; `ROLES` unless a test gives another one a few. */
  roles: Record<string, Right[]>;
  /** Bytes that no object may exceed. */
  sizeLimit: number;
  /** Stands between an upload's last byte and its being stored, whoever waits. */
  beforeStore: () => Promise<void>;
  /** Whether more than 1,000 paths in one removal are refused. */
  limitsRemovals: boolean;
}

/** A request whose route and caller are known. */
export interface Call {
  request: IncomingMessage;
  server: ServerState;
  rights: Right[];
  /** The parts of the path, decoded; empty where the route has none. */
  bucket: string;
  key: string;
  /** As it came in the path. */
  rawKey: string;
  query: URLSearchParams;
}

export interface Route {
  method: string;
  path: RegExp;
  /** Needs no key. */
  open?: boolean;
  /** Tells a bad key that there is no such bucket. */
  hidesBadKeys?: boolean;
  answer(call: Call): Promise<Reply> | Reply;
}

/** @param path below /storage/v1; `:bucket` is one segment, `*` is the key */
export function route(
  method: string,
  path: string,
  answer: Route['answer'],
  options: Pick<Route, 'open' | 'hidesBadKeys'> = {},
): Route {
  const pattern = path.replace(':bucket', '(?<bucket>[^/]+)').replace('*', '(?<key>.*)');
  return { method, path: new RegExp(`^${pattern}$`), answer, ...options };
}

export function demand(rights: Right[], right: Right): void {
  if (!rights.includes(right)) throw refusal('AccessDenied');
}

/** A bucket, for calls that see it with any key. */
export function findBucket({ server, bucket }: Call): Bucket {
  const found = server.buckets.get(bucket);
  if (!found) throw refusal('NoSuchBucket');
  return found;
}

/** Row-level security hides what the caller may not select: there is no error for it. */
export function visibleObjects({ server, rights, bucket }: Call): Map<string, StoredObject> {
  const found = rights.includes('select') ? server.buckets.get(bucket) : undefined;
  return found?.objects ?? new Map();
}

export function findObject(call: Call): StoredObject {
  const object = visibleObjects(call).get(call.key);
  if (!object) throw refusal('NoSuchKey');
  return object;
}
