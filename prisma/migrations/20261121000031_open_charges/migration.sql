-- AlterTable
ALTER TABLE "credit_entry" ADD COLUMN "charge" UUID;

-- CreateTable
CREATE TABLE "pending_charge" (
    "customer_key" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "due" TIMESTAMPTZ(3) NOT NULL,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pending_charge_pkey" PRIMARY KEY ("customer_key","id")
);
ALTER TABLE "pending_charge" ENABLE ROW LEVEL SECURITY;

-- CreateIndex
CREATE INDEX "pending_charge_due_idx" ON "pending_charge"("due");

-- CreateIndex
CREATE UNIQUE INDEX "credit_entry_customer_key_charge_reason_key" ON "credit_entry"("customer_key", "charge", "reason");
