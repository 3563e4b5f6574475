import { listen } from '../../src/http/listen.ts';
import { type Client, newCustomer } from './client.ts';
import { shareGateway } from './gateway.ts';

/** The shared gateway on a port, for clients that send their requests themselves. */
export interface Served {
  /** Of GraphQL. */
  url: string;
  /** With the key of `me`. */
  headers: { authorization: string };
  /** A customer with 100 credits and the file `a.txt` in `docs`. */
  me: Client;
  stop(): Promise<void>;
}

const FACT = 'The capital of Andorra is Andorra la Vella.';
export const QUESTION = 'What is the capital of Andorra?';

export async function serveShared(): Promise<Served> {
  const gateway = await shareGateway();
  const server = await listen(gateway.fetch, { host: '127.0.0.1', port: 0 });
  const me = await newCustomer(gateway, '100');
  await me.upload('docs', { 'a.txt': FACT });
  return {
    url: `${server.url}/graphql`,
    headers: { authorization: `Bearer ${me.apiKey}` },
    me,
    async stop() {
      await server.stop();
      await gateway.close();
    },
  };
}
