import { setImmediate } from 'node:timers/promises';
import { type CodeKernel, MOST_DISTANCE, RECORD, SEGMENT_RECORDS } from './code-kernel.ts';

/** Segments that are compared before others have their turn: about half a millisecond. */
const SEGMENTS_AT_ONCE = 10;

/** The codes of a dataset. */
export function createCodeList(kernel: CodeKernel) {
  const segments: number[] = [];
  let count = 0;

  return {
    get count() {
      return count;
    },

    /** Adds records, whole ones. */
    add(records: Uint8Array): void {
      for (let at = 0; at < records.length; ) {
        const taken = count % SEGMENT_RECORDS;
        if (taken === 0) segments.push(kernel.lend());
        const room = (SEGMENT_RECORDS - taken) * RECORD.bytes;
        const part = records.subarray(at, at + room);
        kernel.write(part, (segments.at(-1) ?? 0) + taken * RECORD.bytes);
        count += part.length / RECORD.bytes;
        at += part.length;
      }
    },

    /** How far every code is from a question. */
    async compare(question: Uint8Array): Promise<Distances> {
      const distances = new Uint16Array(count);
      for (const [at, segment] of segments.entries()) {
        if (at > 0 && at % SEGMENTS_AT_ONCE === 0) await setImmediate();
        const start = at * SEGMENT_RECORDS;
        const length = Math.min(SEGMENT_RECORDS, count - start);
        distances.set(kernel.distances(segment, length, question), start);
      }
      return readDistances(distances, (at) =>
        kernel.keyAt(
          (segments[Math.floor(at / SEGMENT_RECORDS)] ?? 0) + (at % SEGMENT_RECORDS) * RECORD.bytes,
        ),
      );
    },

    /** Gives its memory back: it must not be used any more. */
    free(): void {
      for (const segment of segments.splice(0)) kernel.giveBack(segment);
    },
  };
}

export type CodeList = ReturnType<typeof createCodeList>;

export type Distances = ReturnType<typeof readDistances>;

function readDistances(distances: Uint16Array, keyAt: (index: number) => bigint) {
  const histogram = new Uint32Array(MOST_DISTANCE + 1);
  // Loops by index: on typed arrays they are ten times as fast as iterators and callbacks.
  for (let at = 0; at < distances.length; at++) {
    const distance = distances[at] as number;
    histogram[distance] = (histogram[distance] as number) + 1;
  }
  return {
    /** The distance up to which there are so many, or all. */
    reachOf(many: number): number {
      let reach = 0;
      for (let sum = histogram[0] ?? 0; sum < many && reach < histogram.length; reach++) {
        sum += histogram[reach + 1] ?? 0;
      }
      return reach;
    },

    /** How many are farther than `from`, and no farther than `to`. */
    count(from: number, to: number): number {
      return histogram.subarray(from + 1, to + 1).reduce((sum, many) => sum + many, 0);
    },

    /** The keys of these, with their distances. */
    between(from: number, to: number): Map<bigint, number> {
      const keys = new Map<bigint, number>();
      for (let at = 0; at < distances.length; at++) {
        const distance = distances[at] as number;
        if (distance > from && distance <= to) keys.set(keyAt(at), distance);
      }
      return keys;
    },
  };
}
