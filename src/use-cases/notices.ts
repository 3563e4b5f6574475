/** Notices that were given and not yet taken: any number of them counts as one. The first is given. */
export function createNotices() {
  let isGiven = true;
  let wake = () => {};

  return {
    give(): void {
      isGiven = true;
      wake();
    },

    /** Waits for a notice, for the time or until the signal is aborted. @returns whether there is one */
    async take(milliseconds: number, signal: AbortSignal): Promise<boolean> {
      if (!isGiven && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const end = () => resolve();
        const timer = setTimeout(end, milliseconds).unref();
        signal.addEventListener('abort', end);
        wake = end;
        await promise;
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
      }
      const wasGiven = isGiven;
      isGiven = false;
      return wasGiven;
    },
  };
}
