import { type Operation, type OperationPolicy, POLICY } from '../../core/policy.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';

/** The cost of an operation in credits, exact; 0 for one that is free. */
export function costOf(
  prices: Dependencies['prices'],
  operation: Operation,
  units = 1,
): Prisma.Decimal {
  const { price }: OperationPolicy = POLICY[operation];
  return new Prisma.Decimal(price === null ? 0 : prices[price]).times(units);
}
