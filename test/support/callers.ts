import { type Client, createClient, newCustomer } from './client.ts';
import type { TestGateway } from './gateway.ts';

export type Caller =
  | 'nobody'
  | 'key'
  /** Of the key's customer, for the dataset `docs`. */
  | 'token'
  | 'other customer'
  | 'unknown key'
  | 'revoked key';

/** Everybody who may call, and one file of the dataset `docs`. */
export interface Callers {
  clients: Record<Caller, Client>;
  fileId: string;
}

export async function createCallers(gateway: TestGateway): Promise<Callers> {
  const customer = await newCustomer(gateway);
  const { body: uploaded } = await customer.upload('docs', { 'fox.txt': 'The fox is quick.' });
  const { token } = await gateway.admin.createToken(customer.customerId, 'docs');
  const revoked = await gateway.admin.createKey(customer.customerId);
  await gateway.admin.revokeKey(revoked.keyId);
  return {
    fileId: uploaded.files[0].fileId,
    clients: {
      nobody: createClient(gateway),
      key: customer,
      token: createClient(gateway, token),
      'other customer': await newCustomer(gateway),
      'unknown key': createClient(gateway, `fq_${'x'.repeat(43)}`),
      'revoked key': createClient(gateway, revoked.apiKey),
    },
  };
}
