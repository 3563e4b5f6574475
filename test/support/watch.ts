import { print } from 'graphql';
import { createClient as createSseClient } from 'graphql-sse';
import {
  DatasetChangedDocument,
  type DatasetChangedSubscription,
  type DatasetChangedSubscriptionVariables,
} from '../../src/generated/graphql.ts';

export type DatasetEvent = DatasetChangedSubscription['datasetChanged'];

/** A subscription to the changes of a dataset. */
export interface Watch {
  /** The next event. @throws Error with the code when it is an error or the stream has ended */
  next(): Promise<DatasetEvent>;
  /** The client goes away. */
  leave(): Promise<unknown>;
}

/** Subscribes to the changes of a dataset, through graphql-sse. */
export function watch(
  url: string,
  credential: string,
  variables: DatasetChangedSubscriptionVariables,
): Watch {
  const client = createSseClient({
    url: `${url}/graphql`,
    headers: { authorization: `Bearer ${credential}` },
    retryAttempts: 0,
  });
  const events = client.iterate<DatasetChangedSubscription>({
    query: print(DatasetChangedDocument),
    variables: { ...variables },
  });
  return {
    async next() {
      const { value, done } = await events.next();
      if (done) throw new Error('the stream has ended');
      const [error] = value.errors ?? [];
      if (error || !value.data) throw new Error(String(error?.extensions?.['code']));
      return value.data.datasetChanged;
    },
    leave: async () => events.return?.(),
  };
}
