import { memoize } from '../core/memoize.ts';

/**
 * Parts that are built when they are first asked for, and once. What was built is closed in the
 * opposite order, after what is still being built.
 */
export function createParts() {
  const closers: (() => Promise<unknown>)[] = [];
  const building: Promise<unknown>[] = [];

  return {
    /** @returns the part; a part that could not be built stays so */
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

    /** Closes every part that was built. @throws the first failure, after all were tried */
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
