/** A process that works until it is closed. */
export interface Service {
  ready: Promise<void>;
  /** Comes with how it ended. */
  ended: Promise<string>;
  /** Tells it to end. */
  close(): void;
}

/** A service that is started again when it ends by itself. */
export interface KeptService {
  /** Comes, with how it ended, when it is not started again; never if it does not come to that. */
  lost: Promise<string>;
  close(): Promise<void>;
}

/** Ends of a service are counted for this long, in milliseconds. */
const WINDOW_MS = 60_000;

/**
 * Starts a service, and starts it again whenever it ends by itself.
 *
 * @param mostEnds within a minute; with the last of them it is given up
 * @param onEnd told how it ended before it is started again
 * @throws what `ready` says, or how it ended while it was starting
 */
export async function keepRunning(
  start: () => Service,
  { mostEnds, onEnd }: { mostEnds: number; onEnd: (how: string) => void },
): Promise<KeptService> {
  const { promise: lost, resolve: giveUp } = Promise.withResolvers<string>();
  let service = start();
  await Promise.race([service.ready, service.ended.then((how) => Promise.reject(new Error(how)))]);
  let closing = false;
  void supervise();

  async function supervise(): Promise<void> {
    let ends: number[] = [];
    for (;;) {
      const how = await service.ended;
      if (closing) return;
      const now = performance.now();
      ends = [...ends.filter((end) => now - end < WINDOW_MS), now];
      if (ends.length >= mostEnds) return giveUp(how);
      onEnd(how);
      service = start();
    }
  }

  return {
    lost,
    async close() {
      closing = true;
      service.close();
      await service.ended;
    },
  };
}
