import { hash, randomUUID } from 'node:crypto';
import { AppError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Principal } from '../../core/model.ts';
import type { Operation } from '../../core/policy.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Charge } from './charge-statements.ts';
import type { Credits } from './credits.ts';
import { createIdempotencyKeys, type KnownKey, type Try } from './idempotency-keys.ts';
import { openAnswer, sealAnswer } from './sealed-answer.ts';

const HEARTBEAT_MS = 15_000;

/** A call that can be repeated. */
export interface Repeatable {
  key: string;
  operation: Operation;
  principal: Principal;
  /** What the call asks for, as JSON can say it; a repeat must ask for the same. */
  request: unknown;
  /** Called when the call is answered with a stored answer. */
  onReplay: () => void;
}

/** One execution of a call with an idempotency key. It continues when the client disconnects. */
export interface Attempt {
  /** A UUID, and the id of the charge: a call that takes over refunds it. */
  id: string;
  /** Aborted when the gateway stops. */
  signal: AbortSignal;
  /**
   * Keeps the answer and captures the charge in one statement, in the transaction of the work if
   * there is one. Once kept, an answer is not kept again.
   *
   * @throws AppError IDEMPOTENCY_KEY_IN_USE when another attempt has taken over
   */
  keep(answer: unknown, charge: Charge | undefined, tx?: Prisma.TransactionClient): Promise<void>;
}

/**
 * Answers a call with an idempotency key once: the first call does the work, and a repeat gets its
 * answer. The key is claimed with a lease before anything is paid; answer and charge become final
 * together. A call that fails frees its key, because it costs nothing. When a process ends, a repeat
 * takes over after the lease, refunds the charge of the previous attempt, and fences that attempt off.
 */
export function createIdempotency({
  query,
  answerSecret,
  credits,
  log,
}: Pick<Dependencies, 'query' | 'answerSecret' | 'log'> & { credits: Credits }) {
  const keys = createIdempotencyKeys({ query });
  const running = new Map<Try, { stop: AbortController; done: Promise<unknown> }>();
  let heartbeats: NodeJS.Timeout | undefined;

  return {
    /**
     * Runs a call, or returns its stored answer.
     *
     * @param call without one, the work runs without an attempt
     * @throws AppError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE or IDEMPOTENT_ANSWER_NOT_KEPT
     */
    async runOnce<R>(
      call: Repeatable | undefined,
      run: (attempt?: Attempt) => Promise<R>,
    ): Promise<R> {
      if (!call) return run();
      const one = toTry(call);
      for (;;) {
        const claimed = await claim(one);
        if (claimed) return track(one, (signal) => attempt(one, claimed.previous, signal, run));
        const known = await keys.find(one);
        // None: the key was freed in between.
        if (known) return replay<R>(call, one, known);
      }
    },

    /** Stops the calls that are still running, whose clients have disconnected, and frees their keys. */
    async stop(): Promise<void> {
      for (const { stop } of running.values()) stop.abort();
      await Promise.allSettled(Array.from(running.values(), ({ done }) => done));
    },
  };

  async function claim(one: Try): Promise<{ previous: string | null } | undefined> {
    try {
      return await keys.claim(one);
    } catch (error) {
      // It may have been claimed, and only the reply lost.
      await release(one);
      throw error;
    }
  }

  async function attempt<R>(
    one: Try,
    previous: string | null,
    signal: AbortSignal,
    run: (attempt: Attempt) => Promise<R>,
  ): Promise<R> {
    try {
      if (previous) await credits.refund({ customerKey: one.customerKey, id: previous });
      return await run({ id: one.attempt, signal, keep: createKeep(one) });
    } catch (error) {
      await release(one);
      throw error;
    }
  }

  function createKeep(one: Try): Attempt['keep'] {
    let isKept = false;
    return async (answer, charge, tx) => {
      if (isKept) return;
      const sealed = await sealAnswer(answer, answerSecret, one.id);
      const isSmall = sealed.length <= LIMITS.keptAnswerBytes;
      const statement = keys.keeping(one, isSmall ? sealed : null, charge?.id);
      const kept = await (tx ? tx.$queryRaw<unknown[]>(statement) : query(statement));
      if (kept.length === 0) throw inUse();
      isKept = true;
    };
  }

  async function replay<R>({ onReplay }: Repeatable, one: Try, known: KnownKey): Promise<R> {
    if (!known.fingerprint.equals(one.fingerprint)) throw new AppError('IDEMPOTENCY_KEY_REUSED');
    if (known.isRunning) throw inUse();
    const opened = known.answer && (await openAnswer<R>(known.answer, answerSecret, one.id));
    if (!opened) throw new AppError('IDEMPOTENT_ANSWER_NOT_KEPT');
    onReplay();
    return opened.answer;
  }

  async function release(one: Try): Promise<void> {
    await keys
      .release(one)
      .catch((err: unknown) => log.warn({ err }, 'an idempotency key is left to its lease'));
  }

  /** Renews the lease of a call while it is running, and lets `stop` end it. */
  async function track<R>(one: Try, run: (signal: AbortSignal) => Promise<R>): Promise<R> {
    const stop = new AbortController();
    const done = run(stop.signal);
    running.set(one, { stop, done });
    heartbeats ??= setInterval(heartbeat, HEARTBEAT_MS).unref();
    try {
      return await done;
    } finally {
      running.delete(one);
      if (running.size === 0) {
        clearInterval(heartbeats);
        heartbeats = undefined;
      }
    }
  }

  function heartbeat(): void {
    keys
      .heartbeat([...running.keys()])
      .catch((err: unknown) => log.warn({ err }, 'the heartbeat of repeatable calls failed'));
  }
}

export type Idempotency = ReturnType<typeof createIdempotency>;

/** A further execution of a call. Another token, or another customer, has other keys. */
function toTry({ key, operation, principal, request }: Repeatable): Try {
  const { customerKey } = principal;
  const credential = principal.kind === 'token' ? principal.tokenId : null;
  return {
    customerKey,
    id: hashOf([customerKey, credential, operation, key]),
    fingerprint: hashOf(request),
    attempt: randomUUID(),
  };
}

function hashOf(value: unknown): Buffer {
  return hash('sha256', JSON.stringify(value), 'buffer');
}

function inUse(): AppError {
  return new AppError('IDEMPOTENCY_KEY_IN_USE', { retryAfterSeconds: 1 });
}
