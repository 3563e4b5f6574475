import { collectNow } from '../../../src/runtime/garbage-collection.ts';
import { timed } from '../report/figures.ts';
import type { Store, StoreQuestion } from './stores.ts';
import type { Expected } from './truth.ts';

/** What was seen of one store's searches. */
export interface Searches {
  /** How long each took. */
  ms: number[];
  /** Hits that were to be found, and how many of them were. */
  expected: number;
  right: number;
  /** Searches with fewer hits than there were to be found. */
  short: number;
}

/** A question, and the chunks that it must find, if that is known. */
export interface Asked {
  question: StoreQuestion;
  expected: Expected | undefined;
}

/** Asked before anything counts: the first ones of a kind are compiled, by V8 and as plans of PostgreSQL. */
const WARM_UP = 200;

/**
 * Asks all stores the same questions, in turn. What they must find is known before: working it out
 * reads every vector, which would throw what a store reads out of the processor's caches.
 *
 * @param every asks a store only every so many questions
 */
export async function measureSearches(
  stores: Store[],
  count: number,
  ask: (number: number) => Asked,
  every: (store: Store) => number,
): Promise<Map<Store, Searches>> {
  const measured = new Map(
    stores.map((store) => [store, { ms: [], expected: 0, right: 0, short: 0 } as Searches]),
  );
  const asked = Array.from({ length: WARM_UP + count }, (_, at) => ask(at - WARM_UP));
  // Of the preparations, so that it delays nothing that is measured.
  collectNow();
  for (const [number, { question, expected }] of asked.entries()) {
    const at = number - WARM_UP;
    for (const [store, searches] of measured) {
      if (at === 0) await store.waitForReads?.();
      if (at % every(store) !== 0) continue;
      const [ms, found] = await timed(() => store.search(question));
      if (at < 0) continue;
      searches.ms.push(ms);
      if (!expected) continue;
      searches.expected += expected.count;
      searches.right += found.filter((name) => expected.names.has(name)).length;
      if (found.length < expected.count) searches.short++;
    }
  }
  return measured;
}

export const recallOf = ({ right, expected }: Searches): number => right / expected;
