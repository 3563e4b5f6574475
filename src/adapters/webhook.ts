import { createHmac } from 'node:crypto';
import type { Webhook } from '../ports/webhook.ts';

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
      const {
        ok,
        status,
        body: answer,
      } = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'filequery',
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${signature}`,
        },
        body,
        // Do not follow redirects to addresses that the operator did not configure.
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer?.cancel();
      if (!ok) throw new Error(`it answered ${status}`);
    },
  };
}
