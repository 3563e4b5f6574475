import { listen } from '../../../src/http/listen.ts';
import { startBenchGateway } from '../ingest/bench-gateway.ts';
import { METRICS_TOKEN } from '../large/searches.ts';
import type { ScratchPlace } from '../report/scratch-place.ts';

/** What the process is told before it starts. */
export interface Told {
  place: Omit<ScratchPlace, 'remove'>;
  customer: { customerId: string; apiKey: string };
  /** In megabytes. */
  searchMemory: string;
}

/* One of several gateways on one database; tells its URL, and ends with the process that started it. */
process.once('message', async ({ place, customer, searchMemory }: Told) => {
  const gateway = await startBenchGateway({
    place: { ...place, remove: async () => {} },
    customer,
    settings: { METRICS_TOKEN, SEARCH_MEMORY: searchMemory },
  });
  const { url, stop } = await listen(gateway.fetch, { host: '127.0.0.1', port: 0 });
  process.once('disconnect', async () => {
    await stop();
    await gateway.close();
  });
  process.send?.(url);
});
