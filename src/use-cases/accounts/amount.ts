import { invalidInput } from '../../core/errors.ts';
import { Prisma } from '../../generated/prisma/client.ts';

/**
 * An amount of credits, exact.
 *
 * @param name as in the message
 * @throws AppError INVALID_INPUT
 */
export function readAmount(value: unknown, name = 'credits'): Prisma.Decimal {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^\d{1,12}(\.\d{1,6})?$/.test(text)) {
    invalidInput(
      `${name} must be a decimal number such as 100 or 0.5, with at most twelve digits and six decimals`,
    );
  }
  return new Prisma.Decimal(text);
}
