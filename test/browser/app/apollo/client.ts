import {
  ApolloClient,
  ApolloLink,
  CombinedGraphQLErrors,
  HttpLink,
  InMemoryCache,
} from '@apollo/client';
import UploadHttpLink from 'apollo-upload-client/UploadHttpLink.mjs';
import { OperationTypeNode } from 'graphql';
import { fetchWithProgress } from '../fetch-with-progress.ts';
import { type Problem, problemOf } from '../problem.ts';
import type { Session } from '../session.ts';

export function createApolloClient({ url: uri, token }: Session): ApolloClient {
  const headers = { authorization: `Bearer ${token}` };
  return new ApolloClient({
    cache: new InMemoryCache(),
    link: ApolloLink.split(
      // Subscriptions come in multipart responses, which the upload link does not read.
      ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
      new HttpLink({ uri, headers }),
      new UploadHttpLink({ uri, headers, fetch: fetchOrSend }),
    ),
  });
}

/** What a mutation's context has for an upload: `{ fetchOptions: { onSent } }`. */
interface FetchOptions extends RequestInit {
  onSent?(part: number): void;
}

const fetchOrSend: typeof fetch = (input, options) => {
  const { onSent, ...init }: FetchOptions = options ?? {};
  return onSent ? fetchWithProgress(onSent)(input, init) : fetch(input, init);
};

export function toProblem(error: Error): Problem {
  return problemOf(CombinedGraphQLErrors.is(error) ? error.errors : [], error);
}
