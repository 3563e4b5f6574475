import type { Operation } from './policy.ts';

/** The steps of a request whose time is measured. */
export type Step =
  | 'auth'
  | 'rate'
  | 'credits'
  | 'fetch'
  | 'files'
  | 'sign'
  | 'dataset'
  | 'rewrite'
  | 'embed'
  | 'search'
  | 'model';

/** The purpose of a model call. */
export type ModelCall =
  | 'answer'
  | 'rewrite'
  | 'embed-question'
  | 'embed-texts'
  | 'transcribe'
  | 'recognize';

/** Work that is observed. Names come from small, fixed sets and never contain user text. */
export type Work =
  /** `name` is the method. */
  | { kind: 'request'; name: string; requestId: string; headers: Headers }
  | { kind: 'operation'; name: Operation }
  | { kind: 'step'; name: Step }
  | { kind: 'model'; name: ModelCall; model: string };

/** A completed request. */
export interface RequestSummary {
  /** The pattern of its path, such as `/v1/files/:fileId`: a path itself may hold text of a user. */
  route: string;
  /** 32 hexadecimal digits, when there is a trace. */
  traceId: string | undefined;
  customerId: string | undefined;
  operations: Operation[];
  /** Milliseconds by step. */
  steps: ReadonlyMap<Step, number>;
}

export interface Outcome {
  /** An HTTP status, `ok`, `failed`, or `aborted` when the client disconnected. */
  status: string;
  milliseconds: number;
  /** For requests only. */
  request?: RequestSummary;
}

/** Work in progress. */
export interface ObservedWork {
  /** 32 hexadecimal digits, when there is a trace. */
  traceId?: string | undefined;
  /** Runs a part of the work; work that begins inside it is its child. */
  within<T>(part: () => T): T;
  end(outcome: Outcome): void;
}

/** Observes all work and all charges: the request log, metrics and traces are observers. */
export interface Observer {
  begin(work: Work): ObservedWork;
  /** Credits were charged or refunded; the reason is the name of a price. */
  book(entry: { type: 'charged' | 'returned'; reason: string; credits: number }): void;
}

const UNOBSERVED_WORK: ObservedWork = { within: (part) => part(), end: () => {} };

export const UNOBSERVED: Observer = { begin: () => UNOBSERVED_WORK, book: () => {} };

/** One observer that forwards to several. */
export function combineObservers(observers: Observer[]): Observer {
  const [only = UNOBSERVED, ...others] = observers;
  if (others.length === 0) return only;
  return {
    begin(work) {
      const begun = observers.map((observer) => observer.begin(work));
      return {
        traceId: begun.find(({ traceId }) => traceId)?.traceId,
        within: (part) =>
          begun.reduce(
            (inner, { within }) =>
              () =>
                within(inner),
            part,
          )(),
        end(outcome) {
          for (const { end } of begun) end(outcome);
        },
      };
    },
    book(entry) {
      for (const observer of observers) observer.book(entry);
    },
  };
}

/**
 * The diagnostics channel on which requests to models are published before they are sent, as
 * `{ request: OutgoingRequest }`. (Those of `fetch` are on the channel of undici.)
 */
export const OUTGOING_REQUESTS = 'filequery:request:create';

export interface OutgoingRequest {
  addHeader(name: string, value: string): unknown;
}
