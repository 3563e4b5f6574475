import { invalidInput } from '../../core/errors.ts';
import type { Balance, Customer } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';

/**
 * Finds a customer by id, or by name when the name is unique.
 *
 * @throws AppError INVALID_INPUT when there is no customer, or several
 */
export async function findCustomer(
  { prisma }: Pick<Dependencies, 'prisma'>,
  idOrName: string,
): Promise<Customer & { balance: Balance | null }> {
  const include = { balance: true };
  const byId = await prisma.customer.findUnique({ where: { id: idOrName }, include });
  if (byId) return byId;
  const [byName, another] = await prisma.customer.findMany({
    where: { name: idOrName },
    include,
    take: 2,
  });
  if (!byName) invalidInput(`there is no customer ${idOrName}`);
  if (another) invalidInput(`several customers are called ${idOrName}: name one by its id`);
  return byName;
}
