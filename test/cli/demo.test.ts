import { expect, it } from 'vitest';
import { startListening } from '../support/listening.ts';
import { KEY, startOpenAiDouble } from '../support/openai-double.ts';
import { run } from '../support/process.ts';

it('the demo walks through all of it on a gateway whose models are a server', async () => {
  const double = await startOpenAiDouble();
  const server = { OPENAI_BASE_URL: double.url, OPENAI_API_KEY: KEY };
  const gateway = await startListening(server);
  const { apiKey } = await gateway.app.admin.createCustomer({ name: 'demo', credits: '100' });
  const { code, stdout, stderr } = await run(
    'src/demo/demo.ts',
    ['--url', gateway.publicUrl, '--key', apiKey],
    {},
  ).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('\nAll done; ');
  expect(double.asked('chat').length).toBeGreaterThanOrEqual(4);
  expect(double.asked('embeddings').length).toBeGreaterThanOrEqual(9);
  expect((await fetch(`${gateway.publicUrl}/ready`)).status).toBe(200);
  await gateway.stop();
  await double.close();
});
