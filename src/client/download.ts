import { errorOf } from './client-errors.ts';
import type { Connection, RequestOptions } from './connection.ts';
import { receive } from './connection.ts';

/**
 * The stored copy behind a download link, as a response whose body has not been read. The credential is not
 * sent: the link may lead to another server.
 *
 * @throws FilequeryError
 */
export async function download(
  connection: Connection,
  permanentUrl: string,
  { signal }: Pick<RequestOptions, 'signal'> = {},
): Promise<Response> {
  const attempts = connection.begin({ signal });
  for (;;) {
    signal?.throwIfAborted();
    try {
      const response = await receive(() => connection.fetchOne(permanentUrl, { signal }), signal);
      if (!response.ok) throw await errorOf(response);
      return response;
    } catch (error) {
      await attempts.failed(error);
    }
  }
}
