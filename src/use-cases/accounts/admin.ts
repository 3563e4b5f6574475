import type { CreatedToken, CreateTokenInput } from './created-token.ts';

/**
 * The operator's commands for customers, keys and credits. A customer is given by id, or by name when
 * the name is unique.
 *
 * @throws AppError INVALID_INPUT, from every operation, with a reason for the operator
 */
export interface Admin {
  /** A new customer with a first API key. */
  createCustomer(wanted: {
    name: string;
    /** An exact decimal; null is unmetered. */
    credits: string | null;
    /** Random by default. */
    id?: string;
    /** Random by default. */
    apiKey?: string;
  }): Promise<{ customerId: string; apiKey: string }>;

  listCustomers(): Promise<
    {
      customerId: string;
      name: string;
      /** An exact decimal; null is unmetered. */
      credits: string | null;
      datasets: number;
      created: Date;
    }[]
  >;

  createKey(idOrName: string): Promise<{ keyId: string; prefix: string; apiKey: string }>;

  listKeys(
    idOrName: string,
  ): Promise<{ keyId: string; prefix: string; created: Date; revoked: Date | null }[]>;

  /**
   * Revokes a key, given by its id, by its prefix, or as a whole. Running gateways notice within
   * `PERIODS.credentialSeconds`.
   */
  revokeKey(which: string): Promise<{ keyId: string; prefix: string; revoked: Date }>;

  /** The credits of a customer, and the latest entries of the ledger. */
  showCredits(idOrName: string): Promise<{
    customerId: string;
    credits: string | null;
    entries: { amount: string; reason: string; reference: string | null; created: Date }[];
  }>;

  grantCredits(
    idOrName: string,
    amount: string,
  ): Promise<{ customerId: string; credits: string | null }>;

  createToken(
    idOrName: string,
    datasetId: string,
    options?: Omit<CreateTokenInput, 'datasetId'>,
  ): Promise<CreatedToken>;

  /** See `revokeToken`. */
  revokeToken(idOrName: string, tokenId: string): Promise<{ tokenId: string }>;

  /** Whether there is no customer yet. */
  isNew(): Promise<boolean>;
}
