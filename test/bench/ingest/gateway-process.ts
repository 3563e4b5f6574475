import { setTimeout } from 'node:timers/promises';
import { listen } from '../../../src/http/listen.ts';
import { megabytesOf } from '../report/memory.ts';
import { startBenchGateway } from './bench-gateway.ts';

/** What the process tells whoever started it. */
export type Told = { url: string; apiKey: string } | { resident: number };

const SAMPLE_MS = 200;

/* A gateway as a process of its own, which tells how much memory it has until it is let go. */
const gateway = await startBenchGateway();
const { url, stop } = await listen(gateway.fetch, { host: '127.0.0.1', port: 0 });
const tell = (told: Told) => process.send?.(told);
tell({ url, apiKey: gateway.apiKey });
while (process.connected) {
  tell({ resident: (await megabytesOf(process.pid)) * 1e6 });
  await setTimeout(SAMPLE_MS);
}
await stop();
await gateway.close();
