import { AppError } from '../../core/errors.ts';
import type { Dependencies } from '../dependencies.ts';
import type { UseCase } from '../guard.ts';
import type { Subscriptions } from '../subscriptions.ts';
import { findIngestion, type Ingestion } from './ingestion.ts';

export interface IngestionInput {
  ingestionId: string;
}

/** One asynchronous upload. */
export function getIngestion(deps: Pick<Dependencies, 'query'>) {
  return {
    read: ({ ingestionId }: IngestionInput) => ingestionId,
    async run(caller, ingestionId): Promise<Ingestion> {
      const found = await findIngestion(deps, caller, ingestionId);
      if (!found) throw new AppError('INGESTION_NOT_FOUND');
      return found;
    },
  } satisfies UseCase<'getIngestion', IngestionInput, string, Promise<Ingestion>>;
}

/** An asynchronous upload as it is, and again whenever it has changed, until it ends. */
export function watchIngestion(
  deps: Pick<Dependencies, 'query'> & { subscriptions: Subscriptions },
) {
  return {
    read: ({ ingestionId }: IngestionInput) => ingestionId,
    run(caller, ingestionId): AsyncGenerator<Ingestion, void, undefined> {
      let version: number | undefined;
      return deps.subscriptions.subscribe(caller, async () => {
        const found = await findIngestion(deps, caller, ingestionId);
        if (!found) throw new AppError('INGESTION_NOT_FOUND');
        const events = found.version === version ? [] : [found];
        version = found.version;
        return { events, next: found.finished ? 'end' : 'wait' };
      });
    },
  } satisfies UseCase<'ingestionChanged', IngestionInput, string, AsyncIterable<Ingestion>>;
}
