import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { createClient as createSseClient } from 'graphql-sse';
import {
  DatasetChangedDocument,
  type DatasetChangedSubscription,
  type DatasetChangedSubscriptionVariables,
} from '../../src/generated/graphql.ts';

/** A subscription to changes. */
export interface Watch<T> {
  /** The next event. @throws Error with the code when it is an error, or when the stream has ended */
  next(): Promise<T>;
  /** The client goes away. */
  leave(): Promise<unknown>;
}

/** Subscribes through graphql-sse. */
export function subscribe<T extends object, V extends Record<string, unknown>>(
  url: string,
  credential: string,
  document: TypedDocumentNode<T, V>,
  variables: V,
): Watch<T> {
  const client = createSseClient({
    url: `${url}/graphql`,
    headers: { authorization: `Bearer ${credential}` },
    retryAttempts: 0,
  });
  const events = client.iterate<T>({ query: print(document), variables });
  return {
    async next() {
      const { value, done } = await events.next();
      if (done) throw new Error('the stream has ended');
      const [error] = value.errors ?? [];
      if (error || !value.data) throw new Error(String(error?.extensions?.['code']));
      return value.data;
    },
    leave: async () => events.return?.(),
  };
}

/** Subscribes to the changes of a dataset. */
export function watch(
  url: string,
  credential: string,
  variables: DatasetChangedSubscriptionVariables,
): Watch<DatasetChangedSubscription['datasetChanged']> {
  const { next, leave } = subscribe(url, credential, DatasetChangedDocument, variables);
  return { next: async () => (await next()).datasetChanged, leave };
}
