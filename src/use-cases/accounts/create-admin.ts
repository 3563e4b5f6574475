import { randomBytes, randomUUID } from 'node:crypto';
import { invalidInput } from '../../core/errors.ts';
import { isUuid } from '../../core/uuid.ts';
import type { Balance, Customer, Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Admin } from './admin.ts';
import { readAmount } from './amount.ts';
import { toApiKey } from './api-key.ts';
import { hashApiKey } from './authenticate.ts';
import { createIssueToken, readWantedToken } from './create-token.ts';
import { createCredits } from './credits.ts';
import { findCustomer } from './find-customer.ts';
import { revokeToken } from './revoke-token.ts';

type Deps = Pick<Dependencies, 'prisma' | 'query' | 'tokenSecret' | 'observer'>;

/** The first characters of an API key, which are stored to distinguish keys. */
const PREFIX_CHARACTERS = 11;

export function createAdmin(deps: Deps): Admin {
  const { prisma } = deps;
  const credits = createCredits(deps);
  const issueToken = createIssueToken(deps);
  const revocation = revokeToken(deps);

  return {
    async createCustomer(wanted) {
      const name = wanted.name.trim();
      if (name === '') invalidInput('a customer needs a name');
      const amount = wanted.credits === null ? null : readAmount(wanted.credits);
      const { apiKey, record } = newKey(wanted.apiKey);
      // Prisma writes all of it in one transaction.
      const customer = await prisma.customer.create({
        data: {
          id: wanted.id ?? randomUUID(),
          name,
          balance: { create: { credits: amount } },
          apiKeys: { create: record },
          ...(amount?.gt(0) && { ledger: { create: { amount, ...newGrant() } } }),
        },
      });
      return { customerId: customer.id, apiKey };
    },

    async listCustomers() {
      const customers = await prisma.customer.findMany({
        orderBy: { key: 'asc' },
        include: { balance: true, _count: { select: { datasets: true } } },
      });
      return customers.map(({ id, name, balance, created, _count }) => ({
        customerId: id,
        name,
        credits: creditsOf(balance),
        datasets: _count.datasets,
        created,
      }));
    },

    async createKey(idOrName) {
      return addKey(await findCustomer(deps, idOrName));
    },

    async listKeys(idOrName) {
      const { key: customerKey } = await findCustomer(deps, idOrName);
      const keys = await prisma.apiKey.findMany({
        where: { customerKey },
        orderBy: { created: 'asc' },
      });
      return keys.map(({ id, prefix, created, revoked }) => ({
        keyId: id,
        prefix,
        created,
        revoked,
      }));
    },

    async revokeKey(which) {
      const asId = isUuid(which) ? [{ id: which }] : [];
      const keys = await prisma.apiKey.findMany({
        where: { OR: [{ prefix: which }, { hash: hashApiKey(which) }, ...asId] },
      });
      const [key] = keys;
      // It may be a key: only its prefix is shown.
      const shown = asId.length > 0 ? which : which.slice(0, PREFIX_CHARACTERS);
      if (!key) invalidInput(`there is no key ${shown === which ? which : `${shown}...`}`);
      if (keys.length > 1) invalidInput(`several keys begin with ${shown}: name one by its id`);
      const { customerKey, id, prefix } = key;
      const revoked = key.revoked ?? new Date();
      await prisma.apiKey.update({
        where: { customerKey_id: { customerKey, id } },
        data: { revoked },
      });
      return { keyId: id, prefix, revoked };
    },

    async showCredits(idOrName) {
      const customer = await findCustomer(deps, idOrName);
      const entries = await prisma.creditEntry.findMany({
        where: { customerKey: customer.key },
        orderBy: { id: 'desc' },
        take: 20,
      });
      return {
        customerId: customer.id,
        credits: creditsOf(customer.balance),
        entries: entries.map(({ amount, reason, reference, created }) => ({
          amount: amount.toFixed(),
          reason,
          reference,
          created,
        })),
      };
    },

    async grantCredits(idOrName, amount) {
      const customer = await findCustomer(deps, idOrName);
      if (customer.balance?.credits === null)
        invalidInput(`${customer.id} is unmetered: there is nothing to grant`);
      await grant(customer, readAmount(amount));
      const { balance } = await findCustomer(deps, customer.id);
      return { customerId: customer.id, credits: creditsOf(balance) };
    },

    async createToken(idOrName, datasetId, options = {}) {
      const wanted = readWantedToken({ datasetId, ...options });
      const { key: customerKey, id: customerId } = await findCustomer(deps, idOrName);
      return issueToken({ customerKey, customerId, keyId: undefined }, wanted);
    },

    async revokeToken(idOrName, tokenId) {
      const wanted = revocation.read({ tokenId });
      const { key: customerKey } = await findCustomer(deps, idOrName);
      return revocation.run({ customerKey }, wanted);
    },

    async isNew() {
      return (await prisma.customer.findFirst({ select: { key: true } })) === null;
    },
  };

  async function addKey({ key: customerKey }: Customer) {
    const { apiKey, record } = newKey();
    const { id, prefix } = await prisma.apiKey.create({ data: { customerKey, ...record } });
    return { keyId: id, prefix, apiKey };
  }

  function grant({ key: customerKey }: Customer, amount: Prisma.Decimal): Promise<void> {
    const { charge: id, ...grant } = newGrant();
    return credits.grant({ customerKey, id, amount, ...grant });
  }
}

/** Exact, as a decimal; null when the customer is unmetered. */
function creditsOf(balance: Balance | null): string | null {
  return balance?.credits?.toFixed() ?? null;
}

function newKey(apiKey = toApiKey(randomBytes(32))) {
  const prefix = apiKey.slice(0, PREFIX_CHARACTERS);
  return { apiKey, record: { id: randomUUID(), hash: hashApiKey(apiKey), prefix } };
}

/** The ledger entry of a grant, except for its amount. */
function newGrant() {
  return { charge: randomUUID(), reason: 'grant', reference: randomUUID() };
}
