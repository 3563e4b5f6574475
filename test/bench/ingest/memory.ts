import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { prose } from '../../support/prose.ts';
import { timed } from '../report/figures.ts';
import type { Told } from './gateway-process.ts';
import type { UploaderData } from './uploader.ts';

/** What one upload does to a gateway. */
export interface UploadEffect {
  megabytes: number;
  seconds: number;
  /** Bytes held before, and the most at each fifth of the time. */
  before: number;
  fifths: number[];
  /** How long `GET /health` took before and meanwhile, in milliseconds. */
  healthBefore: number[];
  health: number[];
}

const HEALTH_EVERY_MS = 20;

/** Uploads text files to a gateway in a process of its own, and watches its memory and how soon it answers others. */
export async function measureMemory(sizes: number[]): Promise<UploadEffect[]> {
  const child = fork(new URL('./gateway-process.ts', import.meta.url), { stdio: 'inherit' });
  const samples: { at: number; resident: number }[] = [];
  const ready = Promise.withResolvers<Extract<Told, { url: string }>>();
  child.on('message', (told: Told) => {
    if ('url' in told) ready.resolve(told);
    else samples.push({ at: performance.now(), resident: told.resident });
  });
  const { url, apiKey } = await ready.promise;
  const folder = await mkdtemp(join(tmpdir(), 'filequery-bench-text-'));
  const effects: UploadEffect[] = [];
  for (const megabytes of sizes) {
    const path = join(folder, `${megabytes}.txt`);
    await writeFile(path, prose(megabytes * 1e6));
    const healthBefore = await watchHealth(url, setTimeout(2000));
    const before = samples.at(-1)?.resident ?? 0;
    const began = performance.now();
    const uploading = upload({ url, apiKey, path });
    const [, health] = await Promise.all([uploading, watchHealth(url, uploading)]);
    const ms = performance.now() - began;
    const fifths = [0, 1, 2, 3, 4].map((fifth) =>
      Math.max(
        ...samples
          .filter(({ at }) => Math.floor((5 * (at - began)) / ms) === fifth)
          .map(({ resident }) => resident),
      ),
    );
    effects.push({ megabytes, seconds: ms / 1000, before, fifths, healthBefore, health });
  }
  child.disconnect();
  await once(child, 'exit');
  await rm(folder, { recursive: true });
  return effects;
}

async function upload(workerData: UploaderData): Promise<void> {
  const uploader = new Worker(new URL('./uploader.ts', import.meta.url), { workerData });
  await once(uploader, 'exit');
}

/** Asks for `/health` again and again until something is done. */
async function watchHealth(url: string, meanwhile: Promise<unknown>): Promise<number[]> {
  let done = false;
  const end = meanwhile.finally(() => {
    done = true;
  });
  const times: number[] = [];
  while (!done) {
    const [ms] = await timed(async () => (await fetch(`${url}/health`)).arrayBuffer());
    times.push(ms);
    await setTimeout(HEALTH_EVERY_MS);
  }
  await end;
  return times;
}
