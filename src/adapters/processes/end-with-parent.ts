/**
 * Ends this process when its parent ends for any reason, and not before. Signals that a terminal or a
 * service manager sends to the whole process group are ignored: the parent handles them, because it
 * has requests to finish.
 */
export function endWithParent(): void {
  process.on('disconnect', () => process.exit(0));
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
}
