import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Observer } from '../../core/observer.ts';

/** Values measured when metrics are read. `undefined`: not available at the moment. */
export interface Gauges {
  intents: { files: number; charges: number; oldestSeconds: number } | undefined;
  /** `waiting`: statements that are queued for a connection. */
  connections: { busy: number; idle: number; most: number; waiting: number };
  searchMemory: {
    bytes: number;
    limitBytes: number;
    datasets: number;
    /** How many, by what they found. */
    lookups: Record<string, number>;
  };
}

/** In seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Collects metrics of all work in the Prometheus format. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const histogram = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Histogram({
      name: `filequery_${name}_duration_seconds`,
      help,
      labelNames,
      buckets: BUCKETS,
      registers,
    });
  const requests = histogram('http_request', 'Requests, by route and status.', ['route', 'status']);
  const operations = histogram('operation', 'Operations of REST and GraphQL, by status.', [
    'operation',
    'status',
  ]);
  const steps = histogram('step', 'Steps of requests, as in Server-Timing.', ['step']);
  const modelCalls = histogram('model_call', 'Calls to models, by status: ok, failed or aborted.', [
    'call',
    'model',
    'status',
  ]);

  const counter = (name: string, help: string) =>
    new Counter({
      name: `filequery_credits_${name}_total`,
      help,
      labelNames: ['reason'],
      registers,
    });
  const credits = {
    charged: counter('charged', 'Credits charged by this gateway.'),
    returned: counter('returned', 'Credits refunded by this gateway.'),
  };

  const gauge = <L extends string = never>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge({ name: `filequery_${name}`, help, labelNames, registers });
  const intents = gauge('intents', 'Uploads and deletions in progress, and open charges.', [
    'kind',
  ]);
  const oldestIntent = gauge(
    'oldest_intent_age_seconds',
    'Age of the oldest upload, deletion or open charge.',
  );
  const connections = gauge('database_connections', 'Connections to the database.', ['state']);
  const mostConnections = gauge('database_connections_max', 'DATABASE_POOL_SIZE.');
  const waiting = gauge('database_waiting', 'Statements that are queued for a connection.');
  const searchMemory = gauge('search_memory_bytes', 'Memory that searches use.');
  const searchMemoryLimit = gauge('search_memory_limit_bytes', 'SEARCH_MEMORY.');
  const datasets = gauge('search_memory_datasets', 'Datasets in that memory.');

  const lookups = new Counter({
    name: 'filequery_search_memory_lookups_total',
    help: 'Lookups of datasets in that memory: found, missing or outdated.',
    labelNames: ['result'],
    registers,
  });

  const observer: Observer = {
    begin: (work) => ({
      within: (part) => part(),
      end({ status, milliseconds, request }) {
        const seconds = milliseconds / 1000;
        switch (work.kind) {
          case 'request':
            return requests.observe({ route: request?.route ?? '', status }, seconds);
          case 'operation':
            return operations.observe({ operation: work.name, status }, seconds);
          case 'step':
            return steps.observe({ step: work.name }, seconds);
          case 'model':
            return modelCalls.observe({ call: work.name, model: work.model, status }, seconds);
        }
      },
    }),
    book({ type, reason, credits: amount }) {
      credits[type].inc({ reason }, amount);
    },
  };

  return {
    observer,
    contentType: registry.contentType,
    /** Formats all metrics as text. */
    async write(gauges: Gauges): Promise<string> {
      intents.set({ kind: 'file' }, gauges.intents?.files ?? Number.NaN);
      intents.set({ kind: 'charge' }, gauges.intents?.charges ?? Number.NaN);
      oldestIntent.set(gauges.intents?.oldestSeconds ?? Number.NaN);
      connections.set({ state: 'busy' }, gauges.connections.busy);
      connections.set({ state: 'idle' }, gauges.connections.idle);
      mostConnections.set(gauges.connections.most);
      waiting.set(gauges.connections.waiting);
      searchMemory.set(gauges.searchMemory.bytes);
      searchMemoryLimit.set(gauges.searchMemory.limitBytes);
      datasets.set(gauges.searchMemory.datasets);
      lookups.reset();
      for (const [result, count] of Object.entries(gauges.searchMemory.lookups)) {
        lookups.inc({ result }, count);
      }
      return registry.metrics();
    },
  };
}
