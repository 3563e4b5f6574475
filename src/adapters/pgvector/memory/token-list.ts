import { createGrowingList } from './growing-list.ts';
import { inSlices } from './in-slices.ts';

/** Chunks that are looked through before others have their turn. */
const SLICE = 50_000;

/** The packed tokens of a dataset's chunks, by which filters find what may pass them. */
export function createTokenList() {
  const tokens = createGrowingList();
  /** Where the tokens of each chunk end. */
  const ends = createGrowingList();
  let count = 0;

  return {
    get bytes() {
      return tokens.bytes + ends.bytes;
    },

    /** Adds the tokens of the next chunk. */
    add(packed: Buffer): void {
      for (let at = 0; at < packed.length; at += 4) tokens.push(packed.readUInt32LE(at));
      count += packed.length / 4;
      ends.push(count);
    },

    /** The places of the chunks that have all these tokens. */
    async passing(packed: Buffer): Promise<Uint32Array> {
      const passing = createGrowingList();
      const wanted = Array.from({ length: packed.length / 4 }, (_, at) =>
        packed.readUInt32LE(4 * at),
      );
      const [has, until] = [tokens.all(), ends.all()];
      await inSlices(until.length, SLICE, (from, to) => {
        let start = from === 0 ? 0 : (until[from - 1] as number);
        for (let place = from; place < to; place++) {
          const end = until[place] as number;
          if (wanted.every((token) => includes(has, token, start, end))) passing.push(place);
          start = end;
        }
      });
      return passing.all();
    },
  };
}

export type TokenList = ReturnType<typeof createTokenList>;

function includes(tokens: Uint32Array, token: number, from: number, to: number): boolean {
  // A loop by index: on typed arrays it is ten times as fast as iterators and callbacks.
  for (let at = from; at < to; at++) if (tokens[at] === token) return true;
  return false;
}
