-- CreateTable
CREATE TABLE "idempotency_key" (
    "customer_key" INTEGER NOT NULL,
    "id" BYTEA NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "attempt" UUID NOT NULL,
    "lease_end" TIMESTAMPTZ(3),
    "answer" BYTEA,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("customer_key","id")
);
ALTER TABLE "idempotency_key" ENABLE ROW LEVEL SECURITY;
-- Answers are compressed and encrypted already.
ALTER TABLE "idempotency_key" ALTER COLUMN "answer" SET STORAGE EXTERNAL;

-- CreateIndex
CREATE INDEX "idempotency_key_created_idx" ON "idempotency_key"("created");
