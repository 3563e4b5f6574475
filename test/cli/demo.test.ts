import { expect, it } from 'vitest';
import { createClient } from '../support/client.ts';
import { KEY, startOpenAiDouble } from '../support/openai-double.ts';
import { newDataFolder, run, startProcess } from '../support/process.ts';

it('the demo walks through all of it on a gateway whose models are a server', async () => {
  const double = await startOpenAiDouble();
  const folder = await newDataFolder();
  const server = { OPENAI_BASE_URL: double.url, OPENAI_API_KEY: KEY };
  const gateway = await startProcess(folder.dataDir, server);
  const [, key = ''] = await gateway.wrote(/^ {2}(fq_\S+)$/m);
  const { code, stdout, stderr } = await run(
    'src/demo/demo.ts',
    ['--url', gateway.url, '--key', key],
    {},
  ).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('\nAll done; ');
  expect(double.asked('chat').length).toBeGreaterThanOrEqual(4);
  expect(double.asked('embeddings').length).toBeGreaterThanOrEqual(9);
  const { status } = await createClient(gateway).raw('GET', '/ready');
  expect(status).toBe(200);
  gateway.child.kill('SIGTERM');
  await gateway.ended;
  await folder.remove();
  await double.close();
});
