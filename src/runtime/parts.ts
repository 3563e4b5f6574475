import { memoize } from '../core/memoize.ts';

/**
 * Parts that are built once, when they are first needed. `close` waits for parts that are still being
 * built, and closes all in reverse order.
 */
export function createParts() {
  const closers: (() => Promise<unknown>)[] = [];
  const building: Promise<unknown>[] = [];

  return {
    /** @returns a function for the part; a failure to build it is permanent */
    part<T>(build: () => Promise<T>, closePart?: (part: T) => Promise<unknown>): () => Promise<T> {
      return memoize(() => {
        const built = build().then((part) => {
          if (closePart) closers.push(() => closePart(part));
          return part;
        });
        building.push(built);
        return built;
      });
    },

    /** Closes every part that was built. @throws the first failure, after closing all */
    async close(): Promise<void> {
      await Promise.allSettled(building);
      const failures: unknown[] = [];
      for (const closePart of closers.splice(0).reverse()) {
        await closePart().catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
