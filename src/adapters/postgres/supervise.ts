/** A process that runs until it is closed. */
export interface Service {
  ready: Promise<void>;
  /** Resolves with the reason when it has ended. */
  ended: Promise<string>;
  /** Asks it to end. */
  close(): void;
}

/** A service that is restarted when it ends unexpectedly. */
export interface SupervisedService {
  /** Resolves with the last reason if the service is not restarted any more. */
  lost: Promise<string>;
  close(): Promise<void>;
}

/** The period in which unexpected ends are counted. */
const WINDOW_MS = 60_000;

/**
 * Starts a service, and restarts it whenever it ends unexpectedly.
 *
 * @param maxEnds after this many ends within a minute it is not restarted
 * @param onRestart called with the reason before each restart
 * @throws the rejection of `ready`, or an error with the reason if the service ends before it is ready
 */
export async function supervise(
  start: () => Service,
  { maxEnds, onRestart }: { maxEnds: number; onRestart: (reason: string) => void },
): Promise<SupervisedService> {
  const { promise: lost, resolve: giveUp } = Promise.withResolvers<string>();
  let service = start();
  const endedEarly = service.ended.then((reason) => Promise.reject(new Error(reason)));
  await Promise.race([service.ready, endedEarly]);
  let closing = false;
  void restart();

  async function restart(): Promise<void> {
    let ends: number[] = [];
    for (;;) {
      const reason = await service.ended;
      if (closing) return;
      const now = performance.now();
      ends = [...ends.filter((end) => now - end < WINDOW_MS), now];
      if (ends.length >= maxEnds) return giveUp(reason);
      onRestart(reason);
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
