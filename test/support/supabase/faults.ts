import { Refusal, refusal } from './refusals.ts';

/** What goes wrong with a call. */
export type Fault =
  /** The connection ends before anything is done. */
  | 'reset'
  /** The work is done, and the connection ends without an answer. */
  | 'answer lost'
  /** The answer's body ends half-way. */
  | 'answer cut'
  /** The answer's body stands still half-way. */
  | 'answer stalls'
  /** An upload goes where it should not have gone: the answer says where. */
  | 'goes astray'
  /** Nothing is read, done or answered. */
  | 'hang'
  | 'database away'
  | 'database hangs'
  /** Of the database; in HTTP it looks like any refusal. */
  | 'no connection left'
  | 'locked'
  | 'too many connections'
  /** Of the proxy in front, in HTML. */
  | 'bad gateway'
  /** Of the proxy in front, too: it does not know the key. */
  | 'unknown key';

/** Faults that are answers. */
export const FAULTY_ANSWERS: Partial<Record<Fault, Refusal>> = {
  'database away': refusal('InternalError'),
  'database hangs': refusal('DatabaseTimeout'),
  'no connection left': refusal('DatabaseConnectionLimit'),
  locked: refusal('ResourceLocked'),
  'too many connections': refusal('SlowDown'),
  'bad gateway': new Refusal(502, '<html><h1>502 Bad Gateway</h1></html>'),
  'unknown key': new Refusal(401, { message: 'Invalid API key' }),
};

/** Which calls go wrong, and for how often. */
export function createFaults<Kind extends string>() {
  const pending = new Map<Kind, { fault: Fault; times: number }>();
  return {
    set(kind: Kind, fault: Fault, times = Number.POSITIVE_INFINITY): void {
      pending.set(kind, { fault, times });
    },

    /** What is wrong with a call that came in. */
    take(kind: Kind): Fault | undefined {
      const next = pending.get(kind);
      if (!next || next.times === 0) return undefined;
      next.times -= 1;
      return next.fault;
    },

    clear: () => pending.clear(),
  };
}
