/** Wakes one waiting task and resets itself: set several times, it wakes once. It is set at first. */
export function createAutoResetEvent() {
  let isSet = true;
  let wake = () => {};

  return {
    set(): void {
      isSet = true;
      wake();
    },

    /** Waits until it is set, at most for the time or until the signal is aborted. @returns whether it was set */
    async wait(milliseconds: number, signal: AbortSignal): Promise<boolean> {
      if (!isSet && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const end = () => resolve();
        const timer = setTimeout(end, milliseconds).unref();
        signal.addEventListener('abort', end);
        wake = end;
        await promise;
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
      }
      const wasSet = isSet;
      isSet = false;
      return wasSet;
    },
  };
}
