/** What to print at the first Ctrl-C. */
export const STOPPING = 'Stopping after the files in progress; Ctrl-C again stops at once.';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** How a command that is interrupted should end. */
export interface Interrupts {
  /** Aborted by the first signal: begin nothing more. */
  stopping: AbortSignal;
  /** Aborted by the second: end at once. */
  signal: AbortSignal;
  /** The first signal that was received. */
  cutBy(): NodeJS.Signals | undefined;
}

/**
 * Lets an action end cleanly after Ctrl-C.
 *
 * @param onStopping called at the first signal
 */
export async function withInterrupts<T>(
  onStopping: () => void,
  action: (interrupts: Interrupts) => Promise<T>,
): Promise<T> {
  const [stopping, ending] = [new AbortController(), new AbortController()];
  let cutBy: NodeJS.Signals | undefined;
  const interrupt = (name: NodeJS.Signals) => {
    if (cutBy) return ending.abort();
    cutBy = name;
    onStopping();
    stopping.abort();
  };
  for (const name of SIGNALS) process.on(name, interrupt);
  try {
    return await action({
      stopping: stopping.signal,
      signal: ending.signal,
      cutBy: () => cutBy,
    });
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt);
  }
}
