import { Client, type CombinedError, cacheExchange, fetchExchange } from 'urql';
import { type Problem, problemOf } from '../problem.ts';
import type { Session } from '../session.ts';

export function createUrqlClient({ url, token }: Session): Client {
  return new Client({
    url,
    exchanges: [cacheExchange, fetchExchange],
    fetchOptions: { headers: { authorization: `Bearer ${token}` } },
    fetchSubscriptions: true,
    preferGetMethod: false,
  });
}

export function toProblem(error: CombinedError): Problem {
  return problemOf(error.graphQLErrors, error);
}
