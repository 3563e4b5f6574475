import { type Dataset, Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';

/** A dataset that is being reindexed. */
export type DatasetId = Pick<Dataset, 'customerKey' | 'id'>;

const DROPPED_AT_ONCE = 5_000;

/** A condition on a row `first` of `chunk`, joined with its row of `dataset`. */
const HAS_NO_COPY = Prisma.sql`NOT EXISTS (
  SELECT FROM chunk AS second WHERE second.customer_key = first.customer_key
    AND second.loader_key = first.loader_key AND second.dataset_key = dataset.second_key
    AND second.position = first.position)`;

/**
 * The shadow index of a dataset: copies of its chunks under another key (`second_key`), embedded with
 * another model. No search sees them before the cut-over.
 */
export function createShadowIndex(prisma: Dependencies['prisma']) {
  return {
    /** Creates the shadow index for a model, or continues with it. @returns its key */
    async open(dataset: DatasetId, model: string): Promise<number> {
      const { secondModel } = await find(dataset);
      if (secondModel !== null && secondModel !== model) await this.drop(dataset);
      // A separate statement: Citus does not call such a function in an update. A number may stay unused.
      const [next] = await prisma.$queryRaw<{ key: bigint }[]>`
        SELECT nextval(pg_get_serial_sequence('dataset', 'key')) AS key`;
      const [opened] = await prisma.$queryRaw<{ key: number }[]>`
        UPDATE dataset SET second_model = ${model}, second_key = coalesce(second_key, ${next?.key})
        WHERE customer_key = ${dataset.customerKey} AND id = ${dataset.id}
        RETURNING second_key AS key`;
      if (!opened) throw new Error('the dataset is gone');
      return opened.key;
    },

    /** The keys of the chunks that are not in the shadow index yet. */
    async missing({ customerKey, id }: DatasetId): Promise<bigint[]> {
      const rows = await prisma.$queryRaw<{ key: bigint }[]>`
        SELECT first.key FROM chunk AS first JOIN dataset
          ON dataset.customer_key = first.customer_key AND dataset.key = first.dataset_key
        WHERE dataset.customer_key = ${customerKey} AND dataset.id = ${id}
          AND ${HAS_NO_COPY}`;
      return rows.map(({ key }) => key);
    },

    /**
     * Exchanges the index and the shadow index.
     *
     * @returns false when the shadow index lacks chunks of a file
     */
    async cutOver({ customerKey, id }: DatasetId, model: string): Promise<boolean> {
      await prisma.$transaction(
        async (tx) => {
          // Blocks uploads: adding chunks updates this row, and publishing locks it.
          await tx.$queryRaw`
            SELECT FROM dataset WHERE customer_key = ${customerKey} AND id = ${id} FOR UPDATE`;
          await tidy(tx, { customerKey, id });
          await tx.$executeRaw`
            UPDATE dataset SET key = second_key, second_key = key,
              embedding_model = second_model, second_model = embedding_model,
              chunk_count = (SELECT count(*) FROM chunk AS second
                WHERE second.customer_key = dataset.customer_key
                  AND second.dataset_key = dataset.second_key)
            WHERE customer_key = ${customerKey} AND id = ${id} AND second_model = ${model}
              AND NOT EXISTS (
                SELECT FROM chunk AS first JOIN file
                  ON file.customer_key = first.customer_key AND file.loader_key = first.loader_key
                WHERE first.customer_key = dataset.customer_key AND first.dataset_key = dataset.key
                  AND ${HAS_NO_COPY})`;
        },
        { timeout: 120_000 },
      );
      const { embeddingModel } = await find({ customerKey, id });
      return embeddingModel === model;
    },

    /** Removes the shadow index. */
    async drop(dataset: DatasetId): Promise<void> {
      const { customerKey, secondKey } = await find(dataset);
      if (secondKey === null) return;
      // In batches, so that no statement runs long or locks many rows.
      let gone: number;
      do {
        gone = await prisma.$executeRaw`
          DELETE FROM chunk WHERE (customer_key, key) IN (
            SELECT customer_key, key FROM chunk
            WHERE customer_key = ${customerKey} AND dataset_key = ${secondKey} LIMIT ${DROPPED_AT_ONCE})`;
      } while (gone === DROPPED_AT_ONCE);
      await prisma.dataset.updateMany({
        where: { customerKey, id: dataset.id, secondKey },
        data: { secondKey: null, secondModel: null },
      });
    },
  };

  function find({ customerKey, id }: DatasetId): Promise<Dataset> {
    return prisma.dataset.findUniqueOrThrow({ where: { customerKey_id: { customerKey, id } } });
  }

  /** Removes copies of chunks whose files were removed meanwhile. */
  async function tidy(tx: Prisma.TransactionClient, { customerKey, id }: DatasetId): Promise<void> {
    await tx.$executeRaw`
      DELETE FROM chunk USING dataset
      WHERE dataset.customer_key = ${customerKey} AND dataset.id = ${id}
        AND chunk.customer_key = dataset.customer_key AND chunk.dataset_key = dataset.second_key
        AND NOT EXISTS (SELECT FROM file
          WHERE file.customer_key = chunk.customer_key AND file.loader_key = chunk.loader_key)
        AND NOT EXISTS (SELECT FROM pending_file AS pending
          WHERE pending.customer_key = chunk.customer_key AND pending.loader_key = chunk.loader_key)`;
  }
}
