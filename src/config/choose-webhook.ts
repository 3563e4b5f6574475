import { ConfigurationError } from '../core/errors.ts';

export interface WebhookOptions {
  url: string;
  secret: string;
}

/** @throws ConfigurationError when there is a URL without a secret */
export function chooseWebhook(settings: {
  WEBHOOK_URL?: string | undefined;
  WEBHOOK_SECRET?: string | undefined;
}): WebhookOptions | undefined {
  const { WEBHOOK_URL: url, WEBHOOK_SECRET: secret } = settings;
  if (!url) return undefined;
  if (!secret) throw new ConfigurationError('WEBHOOK_SECRET: must be set when WEBHOOK_URL is');
  return { url, secret };
}
