import type { SupabaseDouble } from '../supabase-double.ts';

export interface Asked {
  /** The secret one unless given; null is none. */
  key?: string | null;
  headers?: Record<string, string>;
  body?: string | object;
}

/** Asks a double without a client between. */
export async function ask(
  double: Pick<SupabaseDouble, 'url' | 'secretKey'>,
  method: string,
  path: string,
  { key, headers, body }: Asked = {},
) {
  const response = await fetch(`${double.url}/storage/v1${path}`, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key ?? double.secretKey}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  };
}
