-- CreateTable
CREATE TABLE "ingestion" (
    "customer_key" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "dataset_id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'PENDING',
    "files" JSONB NOT NULL,
    "chunk_size" INTEGER NOT NULL,
    "chunk_overlap" INTEGER NOT NULL,
    "file_count" INTEGER NOT NULL,
    "done_count" INTEGER NOT NULL DEFAULT 0,
    "charge" UUID,
    "purse" UUID,
    "purse_amount" DECIMAL(20,6),
    "request_id" TEXT NOT NULL,
    "error_code" TEXT,
    "error_message" TEXT,
    "version" INTEGER NOT NULL DEFAULT 0,
    "due" TIMESTAMPTZ(3),
    "lease" UUID,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "webhook_due" TIMESTAMPTZ(3),
    "webhook_attempts" INTEGER NOT NULL DEFAULT 0,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished" TIMESTAMPTZ(3),

    CONSTRAINT "ingestion_pkey" PRIMARY KEY ("customer_key","id")
);

-- CreateIndex
CREATE INDEX "ingestion_due_idx" ON "ingestion"("due");

-- CreateIndex
CREATE INDEX "ingestion_webhook_due_idx" ON "ingestion"("webhook_due");

-- CreateIndex
CREATE INDEX "ingestion_finished_idx" ON "ingestion"("finished");

-- AddForeignKey
ALTER TABLE "ingestion" ADD CONSTRAINT "ingestion_customer_key_fkey" FOREIGN KEY ("customer_key") REFERENCES "customer"("key") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "ingestion" ENABLE ROW LEVEL SECURITY;

CREATE FUNCTION "notify_ingestion"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('filequery_changes', NEW.customer_key::text);
  RETURN NULL;
END $$;

-- Not for heartbeats, which leave the version as it is.
CREATE TRIGGER "ingestion_changed" AFTER UPDATE ON "ingestion" FOR EACH ROW
  WHEN (OLD.version IS DISTINCT FROM NEW.version) EXECUTE FUNCTION "notify_ingestion"();
