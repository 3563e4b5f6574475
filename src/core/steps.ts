/** What a request's time goes to. */
export type Step =
  | 'auth'
  | 'rate'
  | 'credits'
  | 'files'
  | 'sign'
  | 'dataset'
  | 'embed'
  | 'search'
  | 'model';

/** Measures the steps of one request; what a step takes when it is taken again is added. */
export function createSteps() {
  const taken = new Map<Step, number>();
  const add = (step: Step, since: number) =>
    taken.set(step, (taken.get(step) ?? 0) + performance.now() - since);

  return {
    /** Milliseconds by step, in the order of their first ends. */
    taken: taken as ReadonlyMap<Step, number>,

    async time<T>(step: Step, work: () => Promise<T>): Promise<T> {
      const start = performance.now();
      try {
        return await work();
      } finally {
        add(step, start);
      }
    },

    /** Measures the waits for the items, not what their reader does in between. */
    async *timeEach<T>(step: Step, items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
      let start = performance.now();
      for await (const item of items) {
        add(step, start);
        yield item;
        start = performance.now();
      }
      add(step, start);
    },
  };
}

export type Steps = ReturnType<typeof createSteps>;
