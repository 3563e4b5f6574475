import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { ReactNode } from 'react';
import type { ListedFileFragment, SessionQuery } from '../../generated/frontend.ts';
import type { Problem } from './problem.ts';
import type { Session } from './session.ts';

export type Viewer = NonNullable<SessionQuery['viewer']>;

export interface Loaded<T> {
  data?: T;
  problem?: Problem;
  /** Asks the gateway again. */
  reload(): void;
}

export interface Sink<T> {
  next(data: T): void;
  /** The last call, if there is no `complete`. */
  error(problem: Problem): void;
  complete(): void;
}

/** @returns how to end it; the sink is not called after that */
export type Subscribe = <T, V extends Record<string, unknown>>(
  document: TypedDocumentNode<T, V>,
  variables: V,
  sink: Sink<T>,
) => () => void;

/** What the components need of a GraphQL client. Promises reject with a `Problem`. */
export interface DataLayer {
  /** Components below it call the gateway with the session's token. */
  Provider(props: { session: Session; children: ReactNode }): ReactNode;
  useViewer(): Loaded<Viewer>;
  /** The files, kept as they are in the dataset whoever changes them. */
  useFiles(): Loaded<ListedFileFragment[]>;
  useRemoveFile(): (file: ListedFileFragment) => Promise<void>;
  /** @returns sends files, with the part that is sent, from 0 to 1; resolves to the ingestion's id */
  useSendFiles(): (files: File[], onSent: (part: number) => void) => Promise<string>;
  useSubscribe(): Subscribe;
}
