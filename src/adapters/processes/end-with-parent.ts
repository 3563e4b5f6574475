/**
 * Ends this process when the one that started it is gone, however that ended, and not before:
 * the signals that a terminal or a service manager sends to the whole group are the parent's to
 * answer, which has requests to finish.
 */
export function endWithParent(): void {
  process.on('disconnect', () => process.exit(0));
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
}
