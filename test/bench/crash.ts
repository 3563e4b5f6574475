import { parseArgs } from 'node:util';
import { createKilling } from '../support/kills.ts';
import { createScratchPlace } from './report/scratch-place.ts';

/* Kills a gateway again and again in the middle of its work, and looks after each kill whether anything is wrong. */

const { values: options } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
});
const kills = Number(options.kills);

const place = await createScratchPlace();
let bad = 0;
try {
  const killing = await createKilling(place, Number(options.seed));
  for (let kill = 1; kill <= kills; kill++) {
    const wrong = await killing.kill();
    bad += Math.sign(wrong.length);
    for (const line of wrong) console.log(`kill ${kill}: ${line}`);
    if (kill % 20 === 0) console.log(`${kill} kills, ${bad} with something wrong`);
  }
  await killing.close();
} finally {
  await place.remove();
}
console.log(`${place.kind}, seed ${options.seed}: ${kills} kills, ${bad} with something wrong`);
process.exitCode = Math.min(bad, 1);
