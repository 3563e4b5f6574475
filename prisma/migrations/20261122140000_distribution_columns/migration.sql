-- What Citus can distribute by the key of the customer. A table of customers that changes with every
-- charge could not be copied to all servers: balances are a table of their own. A unique index of a
-- distributed table begins with the key of the customer, and no foreign key may change that key.

-- CreateTable
CREATE TABLE "balance" (
    "customer_key" INTEGER NOT NULL,
    "credits" DECIMAL(20,6),

    CONSTRAINT "balance_pkey" PRIMARY KEY ("customer_key"),
    CONSTRAINT "balance_credits_check" CHECK ("credits" >= 0)
);
ALTER TABLE "balance" ENABLE ROW LEVEL SECURITY;
INSERT INTO "balance" ("customer_key", "credits")
SELECT "key", "credits" FROM "customer";

-- AlterTable
ALTER TABLE "customer" DROP COLUMN "credits";

-- CreateIndex
CREATE UNIQUE INDEX "dataset_customer_key_key_key" ON "dataset"("customer_key", "key");
DROP INDEX "dataset_key_key";

-- AddForeignKey
ALTER TABLE "balance" ADD CONSTRAINT "balance_customer_key_fkey" FOREIGN KEY ("customer_key") REFERENCES "customer"("key") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_key" DROP CONSTRAINT "api_key_customer_key_fkey",
ADD CONSTRAINT "api_key_customer_key_fkey" FOREIGN KEY ("customer_key") REFERENCES "customer"("key") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "frontend_token" DROP CONSTRAINT "frontend_token_customer_key_fkey",
ADD CONSTRAINT "frontend_token_customer_key_fkey" FOREIGN KEY ("customer_key") REFERENCES "customer"("key") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "dataset" DROP CONSTRAINT "dataset_customer_key_fkey",
ADD CONSTRAINT "dataset_customer_key_fkey" FOREIGN KEY ("customer_key") REFERENCES "customer"("key") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "dataset_change" DROP CONSTRAINT "dataset_change_customer_key_dataset_id_fkey",
ADD CONSTRAINT "dataset_change_customer_key_dataset_id_fkey" FOREIGN KEY ("customer_key", "dataset_id") REFERENCES "dataset"("customer_key", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "file" DROP CONSTRAINT "file_customer_key_dataset_id_fkey",
ADD CONSTRAINT "file_customer_key_dataset_id_fkey" FOREIGN KEY ("customer_key", "dataset_id") REFERENCES "dataset"("customer_key", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "credit_entry" DROP CONSTRAINT "credit_entry_customer_key_fkey",
ADD CONSTRAINT "credit_entry_customer_key_fkey" FOREIGN KEY ("customer_key") REFERENCES "customer"("key") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ingestion" DROP CONSTRAINT "ingestion_customer_key_fkey",
ADD CONSTRAINT "ingestion_customer_key_fkey" FOREIGN KEY ("customer_key") REFERENCES "customer"("key") ON DELETE CASCADE ON UPDATE NO ACTION;

-- A trigger on a table of Citus runs on a server that has a part of it, a shard: `chunk_102008` is a
-- shard of `chunk`. Its rows belong to rows in shards of other tables, which are on the same server.
CREATE FUNCTION "colocated_shard"("wanted" text, "shard" text) RETURNS text
  LANGUAGE plpgsql STABLE STRICT
AS $$
DECLARE
  found bigint;
BEGIN
  SELECT other.shardid INTO STRICT found
  FROM pg_dist_shard AS mine JOIN pg_dist_shard AS other USING (shardminvalue)
  WHERE mine.shardid = substring(shard FROM '\d+$')::bigint AND other.logicalrelid = wanted::regclass;
  RETURN wanted || '_' || found;
END
$$;

-- Distributes a table with the key of the customer as all others are, for migrations. Otherwise, and on
-- one server, it does nothing.
CREATE FUNCTION "distribute"("name" regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF to_regclass('pg_dist_partition') IS NULL THEN RETURN; END IF;
  IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'dataset'::regclass) THEN
    PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
    PERFORM create_distributed_table("name", 'customer_key', colocate_with => 'dataset');
  END IF;
END
$$;

-- The functions of the triggers have their statement twice: with the names of tables, planned once in
-- a session, and with those of shards.
DO $migration$
DECLARE
  removing text := $sql$
    DELETE FROM %1$s AS entry USING gone
    WHERE entry.customer_key = gone.customer_key AND entry.dataset_key = gone.dataset_key
      AND entry.loader_key = gone.loader_key AND entry.key = gone.key$sql$;
  logging text := $sql$
    WITH changed AS MATERIALIZED (
      SELECT fresh.customer_key, listed.dataset_id, listed.id,
        row_number() OVER (PARTITION BY fresh.customer_key, listed.dataset_id) AS place,
        count(*) OVER (PARTITION BY fresh.customer_key, listed.dataset_id) AS total
      FROM fresh CROSS JOIN LATERAL (
        SELECT file.dataset_id, file.id FROM %1$s AS file
        WHERE file.customer_key = fresh.customer_key AND file.loader_key = fresh.loader_key
        -- Keeps the planner from scanning all files.
        OFFSET 0
      ) AS listed
    ), entries AS (
      SELECT customer_key, dataset_id, %4$s AS kind, id, place, total FROM changed WHERE total <= 100
      UNION ALL
      SELECT DISTINCT customer_key, dataset_id, 'many', NULL::uuid, 1, 1 FROM changed WHERE total > 100
    ), moved AS (
      UPDATE %2$s AS dataset SET version = version + entry.total
      FROM (SELECT DISTINCT customer_key, dataset_id, total FROM entries) AS entry
      WHERE dataset.customer_key = entry.customer_key AND dataset.id = entry.dataset_id
      RETURNING dataset.customer_key, dataset.id AS dataset_id, version - entry.total AS version
    )
    INSERT INTO %3$s (customer_key, dataset_id, version, kind, file_id)
    SELECT customer_key, dataset_id, moved.version + entries.place, entries.kind, entries.id
    FROM entries JOIN moved USING (customer_key, dataset_id)$sql$;
BEGIN
  EXECUTE format($body$
    CREATE OR REPLACE FUNCTION "remove_chunk_index"() RETURNS trigger LANGUAGE plpgsql
      SET enable_seqscan = off
    AS $function$
    BEGIN
      IF TG_TABLE_NAME = 'chunk' THEN %s;
      ELSE EXECUTE format(%L, colocated_shard('chunk_index', TG_TABLE_NAME));
      END IF;
      RETURN NULL;
    END
    $function$ $body$, format(removing, 'chunk_index'), removing);

  EXECUTE format($body$
    CREATE OR REPLACE FUNCTION "log_dataset_changes"() RETURNS trigger LANGUAGE plpgsql AS $function$
    BEGIN
      IF TG_TABLE_NAME NOT IN ('file', 'pending_file') THEN
        EXECUTE format(%L, colocated_shard('file', TG_TABLE_NAME),
          colocated_shard('dataset', TG_TABLE_NAME), colocated_shard('dataset_change', TG_TABLE_NAME),
          '$1') USING TG_ARGV[0];
        RETURN NULL;
      END IF;
      %s;
      IF FOUND THEN
        PERFORM pg_notify('filequery_changes', customer_key::text)
        FROM (SELECT DISTINCT customer_key FROM fresh) AS customers;
      END IF;
      RETURN NULL;
    END
    $function$ $body$,
    logging, format(logging, 'file', 'dataset', 'dataset_change', 'TG_ARGV[0]'));
END
$migration$;

-- A transaction on several servers cannot notify, and nobody listens on those that have shards.
CREATE OR REPLACE FUNCTION "notify_ingestion"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'ingestion' THEN
    PERFORM pg_notify('filequery_changes', NEW.customer_key::text);
  END IF;
  RETURN NULL;
END $$;
