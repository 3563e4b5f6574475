import { refuse } from '../core/errors.ts';
import type { Dataset } from '../generated/prisma/client.ts';
import type { GraphComparison } from '../ports/vector-index.ts';
import type { Dependencies } from './dependencies.ts';

type Deps = Pick<Dependencies, 'prisma' | 'index'>;

/** Smaller datasets are read as quickly without. */
const FEWEST_CHUNKS = 20_000;
const QUESTIONS = 50;

/** What names a dataset. */
export interface WhichDataset {
  customerKey: number;
  datasetId: string;
}

export interface Optimized extends GraphComparison {
  datasetId: string;
  chunks: number;
}

/** Large datasets that searches find their way in along a graph, which costs room and slows uploads. */
export function createOptimize({ prisma, index }: Deps) {
  return { optimize, undo, renew };

  /**
   * Builds the graph of a dataset, or builds it anew, and tries it.
   *
   * @throws AppError INVALID_INPUT when there is no such dataset, or it is too small
   */
  async function optimize(which: WhichDataset): Promise<Optimized> {
    const dataset = await find(which);
    const { customerKey, id: datasetId, key: datasetKey, chunkCount } = dataset;
    if (chunkCount < FEWEST_CHUNKS) {
      refuse(`${datasetId} has ${chunkCount} chunks: below ${FEWEST_CHUNKS} a graph is of no use`);
    }
    await build(dataset);
    const scope = { customerKey, datasetKey, chunkCount };
    return { datasetId, chunks: chunkCount, ...(await index.compareGraph(scope, QUESTIONS)) };
  }

  /** @throws AppError INVALID_INPUT when there is no such dataset */
  async function undo(which: WhichDataset): Promise<void> {
    const { customerKey, id, key, graphKey } = await find(which);
    await prisma.dataset.updateMany({ where: { customerKey, id }, data: { graphKey: null } });
    // Also one whose building was stopped.
    await index.dropGraph(graphKey ?? key);
  }

  /** For chunks of another key than those that have a graph: builds them one. */
  async function renew(which: WhichDataset): Promise<void> {
    const dataset = await find(which);
    if (dataset.graphKey !== null && dataset.graphKey !== dataset.key) await build(dataset);
  }

  async function build({ customerKey, id, key, graphKey }: Dataset): Promise<void> {
    await index.buildGraph({ customerKey, datasetKey: key });
    await prisma.dataset.updateMany({ where: { customerKey, id, key }, data: { graphKey: key } });
    if (graphKey !== null && graphKey !== key) await index.dropGraph(graphKey);
  }

  async function find({ customerKey, datasetId: id }: WhichDataset): Promise<Dataset> {
    const dataset = await prisma.dataset.findUnique({
      where: { customerKey_id: { customerKey, id } },
    });
    return dataset ?? refuse(`there is no dataset ${id}`);
  }
}
