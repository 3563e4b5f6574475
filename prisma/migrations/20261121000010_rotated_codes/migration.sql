-- What a search looks at before it compares true vectors. A row is written with its chunk, by the
-- gateway: the signs of the rotated vector, the rest of its code, and the low halves of its tokens.
-- A chunk that a gateway of an earlier version added has none until it is indexed later.
CREATE TABLE "chunk_index" (
    "customer_key" INTEGER NOT NULL,
    "dataset_key" INTEGER NOT NULL,
    "loader_key" BIGINT NOT NULL,
    "key" BIGINT NOT NULL,
    "sign_factor" REAL NOT NULL,
    "signs" BIT(1536) NOT NULL,
    "code" BYTEA NOT NULL,
    "tokens" BYTEA NOT NULL,

    -- The codes that are compared by the database are read from this index alone.
    CONSTRAINT "chunk_index_pkey" PRIMARY KEY ("customer_key", "dataset_key", "loader_key", "key")
      INCLUDE ("sign_factor", "signs")
) WITH (
    autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_vacuum_insert_threshold = 2000,
    parallel_workers = 0
);
ALTER TABLE "chunk_index" ALTER "signs" SET STORAGE PLAIN, ALTER "code" SET STORAGE PLAIN;
ALTER TABLE "chunk_index" ENABLE ROW LEVEL SECURITY;

-- Whoever removes chunks, of whatever version, removes what was derived from them.
CREATE FUNCTION "remove_chunk_index"() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off
AS $$
BEGIN
  DELETE FROM chunk_index USING gone
  WHERE chunk_index.customer_key = gone.customer_key AND chunk_index.dataset_key = gone.dataset_key
    AND chunk_index.loader_key = gone.loader_key AND chunk_index.key = gone.key;
  RETURN NULL;
END
$$;
CREATE TRIGGER "chunk_removed" AFTER DELETE ON "chunk" REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION "remove_chunk_index"();

DROP INDEX "chunk_codes";
ALTER TABLE "chunk" DROP COLUMN "code";
CREATE INDEX "chunk_customer_key_dataset_key_idx" ON "chunk"("customer_key", "dataset_key");
