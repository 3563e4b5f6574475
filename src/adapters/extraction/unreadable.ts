/** The reason why a file cannot be read, as a message for the user. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}

export const REASONS = {
  broken: 'it is broken or incomplete',
  protected: 'it is protected by a password',
  tooMuch: 'it unpacks to more than can be read',
  tooDeep: 'it is nested too deeply',
  tooSlow: 'it takes too long to read',
  memory: 'it takes too much memory to read',
  crashed: 'reading it ended unexpectedly; try again, or save it in another format',
} as const;
