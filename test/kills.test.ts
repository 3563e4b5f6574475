import { afterAll, beforeAll, expect, it } from 'vitest';
import { embeddedIn } from './support/databases.ts';
import { EFFORT } from './support/effort.ts';
import { createKilling } from './support/kills.ts';
import { newDataFolder } from './support/process.ts';

/* A few of the kills of `npm run bench:crash`. */

let folder: Awaited<ReturnType<typeof newDataFolder>>;
let killing: Awaited<ReturnType<typeof createKilling>>;

beforeAll(async () => {
  folder = await newDataFolder();
  const place = {
    settings: { DATA_DIR: folder.dataDir },
    connection: embeddedIn(folder.dataDir),
  };
  killing = await createKilling(place, 7);
});
afterAll(async () => {
  await killing.close();
  await folder.remove();
});

it.each(Array.from({ length: EFFORT }, (_, at) => at + 1))(
  'kill %i leaves everything as it was told',
  async () => {
    expect(await killing.kill()).toEqual([]);
  },
  60_000,
);
