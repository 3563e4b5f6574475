import type { RequestRecord } from '../core/request-record.ts';

/**
 * The steps of a request as the header `Server-Timing`, in milliseconds. A streamed answer tells
 * what was known when it began.
 */
export function writeServerTiming({ steps }: RequestRecord, total: number): string {
  return [...steps, ['total', total] as const]
    .map(([step, ms]) => `${step};dur=${ms.toFixed(2)}`)
    .join(', ');
}
