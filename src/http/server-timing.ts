import type { RequestRecord } from '../core/request-record.ts';

/**
 * The header `Server-Timing`: the steps of a request in milliseconds. For a streamed response, those
 * that were complete when it began.
 */
export function writeServerTiming({ steps }: RequestRecord, total: number): string {
  return [...steps, ['total', total] as const]
    .map(([step, ms]) => `${step};dur=${ms.toFixed(2)}`)
    .join(', ');
}
