import { parseArgs } from 'node:util';
import { readConfig } from '../config/config.ts';
import { createLog } from '../runtime/log.ts';
import { startGateway } from '../runtime/serve.ts';
import { walk } from './walk.ts';

/*
 * Walks the whole main job over both transports on real files, as a client would.
 *
 *   npm run demo                                       a gateway of its own, in memory
 *   npm run demo -- --url URL [--url URL] --key KEY    gateways that run: requests take turns
 */
const { values } = parseArgs({
  options: { url: { type: 'string', multiple: true }, key: { type: 'string' } },
});

if (values.url && values.key) {
  await walk({ urls: values.url, apiKey: values.key });
} else {
  console.log('Starting a throw-away gateway in memory.');
  const config = readConfig({ DATA_DIR: 'memory:', PORT: '0' });
  const { app, publicUrl, stop } = await startGateway(config, createLog('warn'));
  try {
    const { apiKey } = await app.admin.createCustomer({ name: 'demo', credits: '100' });
    await walk({ urls: [publicUrl], apiKey });
  } finally {
    await stop();
  }
}
