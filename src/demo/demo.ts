import { parseArgs } from 'node:util';
import { readConfig } from '../config/config.ts';
import { createLog } from '../runtime/log.ts';
import { startGateway } from '../runtime/serve.ts';
import { walk } from './walk.ts';

/*
 * Runs the main workflow over both transports with real files, as a client would.
 *
 *   npm run demo                                       starts a temporary gateway in memory
 *   npm run demo -- --url URL [--url URL] --key KEY    uses running gateways in turn
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
