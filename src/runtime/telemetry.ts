import type { Gauges } from '../adapters/telemetry/metrics.ts';
import type { Config } from '../config/config.ts';
import { combineObservers } from '../core/observer.ts';
import { createMetricsPage } from '../http/metrics-page.ts';
import type { Log } from '../ports/log.ts';
import { createRequestLog } from './request-log.ts';

/** Minimum milliseconds between two warnings about an unavailable collector. */
const WARNING_INTERVAL_MS = 60_000;

/** Creates the observers of the gateway: the log, and metrics and traces, which are loaded only if configured. */
export async function createTelemetry(
  { metricsToken, traces: options }: Partial<Pick<Config, 'metricsToken' | 'traces'>>,
  log: Log,
) {
  const metrics = metricsToken ? await openMetrics(metricsToken) : undefined;
  const traces = options ? await openTraces(options, log) : undefined;
  const setUp = [metrics, traces].filter((one) => one !== undefined);
  return {
    observer: combineObservers([createRequestLog(log), ...setUp.map(({ observer }) => observer)]),
    /** Creates the handler of `/metrics`. */
    createMetricsPage: metrics?.createPage,
    close: async (): Promise<void> => traces?.close(),
  };
}

async function openMetrics(token: string) {
  const { createMetrics } = await import('../adapters/telemetry/metrics.ts');
  const { observer, contentType, write } = createMetrics();
  return {
    observer,
    createPage: (readGauges: () => Promise<Gauges>) =>
      createMetricsPage({ token, contentType, write: async () => write(await readGauges()) }),
  };
}

async function openTraces(options: NonNullable<Config['traces']>, log: Log) {
  const { createTraces } = await import('../adapters/telemetry/traces.ts');
  let warnedAt = Number.NEGATIVE_INFINITY;
  return createTraces({
    ...options,
    onFailure(reason) {
      if (performance.now() - warnedAt < WARNING_INTERVAL_MS) return;
      warnedAt = performance.now();
      log.warn({ reason }, 'traces could not be sent');
    },
  });
}
