-- AlterTable
ALTER TABLE "pending_charge" ADD COLUMN "token_id" UUID, ADD COLUMN "amount" DECIMAL(20,6);

-- CreateTable
CREATE TABLE "frontend_token" (
    "customer_key" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "credits" DECIMAL(20,6),
    "revoked" TIMESTAMPTZ(3),
    "expires" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "frontend_token_pkey" PRIMARY KEY ("customer_key","id")
);
ALTER TABLE "frontend_token" ENABLE ROW LEVEL SECURITY;

-- CreateIndex
CREATE INDEX "frontend_token_customer_key_revoked_idx" ON "frontend_token"("customer_key", "revoked");

-- CreateIndex
CREATE INDEX "frontend_token_expires_idx" ON "frontend_token"("expires");

-- AddForeignKey
ALTER TABLE "frontend_token" ADD CONSTRAINT "frontend_token_customer_key_fkey" FOREIGN KEY ("customer_key") REFERENCES "customer"("key") ON DELETE CASCADE ON UPDATE CASCADE;
