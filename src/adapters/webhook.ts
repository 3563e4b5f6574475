import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Webhook } from '../ports/webhook.ts';
import { requestFor } from './http-requests.ts';

/** Milliseconds before an attempt times out. */
const TIMEOUT_MS = 15_000;

/**
 * A webhook as in https://github.com/standard-webhooks/standard-webhooks: signed with HMAC-SHA256.
 *
 * @param secret `whsec_` and the key in base64
 */
export function createWebhook({ url, secret }: { url: string; secret: string }): Webhook {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return {
    async send(id, event) {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const body = JSON.stringify(event);
      const signature = createHmac('sha256', key)
        .update(`${id}.${timestamp}.${body}`)
        .digest('base64');
      const status = await post(new URL(url), body, {
        'content-type': 'application/json',
        'user-agent': 'filequery',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      });
      if (status < 200 || status > 299) throw new Error(`it answered ${status}`);
    },
  };
}

/**
 * Node's `fetch` refuses the ports that browsers refuse, such as 6000. Redirects are not followed to
 * addresses that the operator did not configure.
 *
 * @returns the status of the response
 */
async function post(url: URL, body: string, headers: Record<string, string>): Promise<number> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const sent = requestFor(url)(url, { method: 'POST', headers, signal });
  const answered = once(sent, 'response');
  // The connection may also break after the response.
  sent.on('error', () => {});
  sent.end(body);
  const [response]: IncomingMessage[] = await answered;
  response?.destroy();
  return response?.statusCode ?? 0;
}
