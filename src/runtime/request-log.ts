import type { ObservedWork, Observer, Step } from '../core/observer.ts';
import { UNOBSERVED } from '../core/observer.ts';
import type { Log } from '../ports/log.ts';

/**
 * Logs one line for every completed request, without path, query and body: these may contain names of
 * files, questions, and misplaced credentials.
 */
export function createRequestLog(log: Log): Observer {
  return {
    ...UNOBSERVED,
    begin(work) {
      const unobserved = UNOBSERVED.begin(work);
      if (work.kind !== 'request') return unobserved;
      const { requestId, name: method } = work;
      const end: ObservedWork['end'] = ({ status, milliseconds, request }) => {
        const { route, traceId, customerId, operations = [], steps = [] } = request ?? {};
        log.info(
          {
            requestId,
            traceId,
            method,
            route,
            status: Number(status),
            ms: Math.round(milliseconds),
            customerId,
            operations,
            steps: rounded(steps),
          },
          'request',
        );
      };
      return { ...unobserved, end };
    },
  };
}

/** To hundredths of a millisecond. */
function rounded(steps: Iterable<readonly [Step, number]>): Partial<Record<Step, number>> {
  const milliseconds: Partial<Record<Step, number>> = {};
  for (const [step, taken] of steps) milliseconds[step] = Math.round(taken * 100) / 100;
  return milliseconds;
}
