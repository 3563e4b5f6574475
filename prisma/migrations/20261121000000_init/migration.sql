CREATE EXTENSION IF NOT EXISTS vector;

-- What a chunk's vector is stored as. Half floats halve what a search reads; on the embedded
-- database (WASM) they are four times slower than floats. The one place that knows.
DO $$
BEGIN
  IF version() LIKE '%wasm%' THEN
    CREATE DOMAIN "embedding" AS vector(1536);
  ELSE
    CREATE DOMAIN "embedding" AS halfvec(1536);
  END IF;
END
$$;

CREATE TABLE "customer" (
    "key" SERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "credits" DECIMAL(20,6),
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "customer_pkey" PRIMARY KEY ("key"),
    CONSTRAINT "customer_credits_check" CHECK ("credits" >= 0)
);
CREATE UNIQUE INDEX "customer_id_key" ON "customer"("id");

CREATE TABLE "api_key" (
    "customer_key" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "prefix" TEXT NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("customer_key","id"),
    CONSTRAINT "api_key_customer_key_fkey" FOREIGN KEY ("customer_key") REFERENCES "customer"("key") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

CREATE TABLE "dataset" (
    "customer_key" INTEGER NOT NULL,
    "id" TEXT NOT NULL,
    "key" SERIAL NOT NULL,
    "embedding_model" TEXT NOT NULL,
    "chunk_count" INTEGER NOT NULL DEFAULT 0,
    "second_key" INTEGER,
    "second_model" TEXT,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "dataset_pkey" PRIMARY KEY ("customer_key","id"),
    CONSTRAINT "dataset_customer_key_fkey" FOREIGN KEY ("customer_key") REFERENCES "customer"("key") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "dataset_key_key" ON "dataset"("key");

CREATE TABLE "file" (
    "customer_key" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "dataset_id" TEXT NOT NULL,
    "loader_key" BIGINT NOT NULL,
    "path" TEXT NOT NULL,
    "original_name" TEXT NOT NULL,
    "extension" TEXT NOT NULL,
    "mime_type" TEXT,
    "size" BIGINT,
    "transcription_text" TEXT,
    "transcription_srt" JSONB,
    "extra_meta" JSONB,
    "permanent_url" TEXT,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "file_pkey" PRIMARY KEY ("customer_key","id"),
    CONSTRAINT "file_customer_key_dataset_id_fkey" FOREIGN KEY ("customer_key", "dataset_id") REFERENCES "dataset"("customer_key", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "file_customer_key_loader_key_key" ON "file"("customer_key", "loader_key");
CREATE INDEX "file_customer_key_dataset_id_created_id_idx" ON "file"("customer_key", "dataset_id", "created" DESC, "id" DESC);

CREATE TABLE "pending_file" (
    "customer_key" INTEGER NOT NULL,
    "loader_key" BIGINT NOT NULL,
    "path" TEXT NOT NULL,
    "due" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "pending_file_pkey" PRIMARY KEY ("customer_key","loader_key")
);
CREATE INDEX "pending_file_due_idx" ON "pending_file"("due");

-- Vectors stay in the row (PLAIN), and the row in its page: at the default target every row would
-- be over it, and content and metadata would move out of line. Two rows a page with half floats.
-- A search scans an index only, which it can where a page is known to hold nothing but rows that
-- all see: so insertions are vacuumed soon. Workers take longer to start than they save.
CREATE TABLE "chunk" (
    "customer_key" INTEGER NOT NULL,
    "dataset_key" INTEGER NOT NULL,
    "key" BIGSERIAL NOT NULL,
    "loader_key" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "content" TEXT NOT NULL,
    "metadata" JSONB NOT NULL,
    "tokens" BIGINT[],
    "embedding" "embedding" NOT NULL,
    "code" BIT(1536) NOT NULL GENERATED ALWAYS AS (binary_quantize("embedding")::bit(1536)) STORED,

    CONSTRAINT "chunk_pkey" PRIMARY KEY ("customer_key","key")
) WITH (
    autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_vacuum_insert_threshold = 2000,
    parallel_workers = 0
);
ALTER TABLE "chunk" ALTER "embedding" SET STORAGE PLAIN, ALTER "code" SET STORAGE PLAIN;
DO $$
BEGIN
  IF version() LIKE '%wasm%' THEN
    ALTER TABLE "chunk" SET (toast_tuple_target = 8160);
  ELSE
    ALTER TABLE "chunk" SET (toast_tuple_target = 4064);
  END IF;
END
$$;
CREATE UNIQUE INDEX "chunk_customer_key_loader_key_dataset_key_position_key" ON "chunk"("customer_key", "loader_key", "dataset_key", "position");
-- All that the first look of a search reads, a dataset's together whatever the order of arrival.
CREATE INDEX "chunk_codes" ON "chunk"("customer_key", "dataset_key") INCLUDE ("key", "loader_key", "code");
-- One posting list is "this dataset and this value". A list of pending entries would be read by every search.
CREATE INDEX "chunk_tokens_idx" ON "chunk" USING GIN ("tokens") WITH (fastupdate = off);

CREATE TABLE "credit_entry" (
    "customer_key" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "amount" DECIMAL(20,6) NOT NULL,
    "reason" TEXT NOT NULL,
    "reference" TEXT,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "credit_entry_pkey" PRIMARY KEY ("customer_key","id"),
    CONSTRAINT "credit_entry_customer_key_fkey" FOREIGN KEY ("customer_key") REFERENCES "customer"("key") ON DELETE CASCADE ON UPDATE CASCADE
);
