import type { TestGateway } from './gateway.ts';

/** A request as it stands, where the client of `client.ts` would make it a good one. */
export async function send(
  { fetch }: Pick<TestGateway, 'fetch'>,
  method: string,
  path: string,
  { credential, ...init }: RequestInit & { credential?: string | undefined } = {},
): Promise<Response> {
  const headers = new Headers(init.headers);
  if (credential !== undefined) headers.set('authorization', `Bearer ${credential}`);
  return fetch(new Request(`http://filequery.test${path}`, { ...init, method, headers }));
}

/** A body whose length is not known beforehand. */
export function streamed(body: ReadableStream): RequestInit {
  return { body, duplex: 'half' } as RequestInit;
}

/** Pieces of an endless body. */
export const PIECE = 64 * 1024;

/** A body without an end, and how many bytes of it were taken. */
export function endless() {
  let taken = 0;
  const body = new ReadableStream({
    pull(controller) {
      taken += PIECE;
      controller.enqueue(new Uint8Array(PIECE).fill(32));
    },
  });
  return { body, taken: () => taken };
}
