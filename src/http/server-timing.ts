import type { Steps } from '../core/steps.ts';

/**
 * The steps of a request as the header `Server-Timing`, in milliseconds. A streamed answer tells
 * what was known when it began.
 */
export function writeServerTiming({ taken }: Steps, total: number): string {
  return [...taken, ['total', total] as const]
    .map(([step, ms]) => `${step};dur=${ms.toFixed(2)}`)
    .join(', ');
}
