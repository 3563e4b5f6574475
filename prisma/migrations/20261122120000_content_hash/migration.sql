-- AlterTable
ALTER TABLE "file" ADD COLUMN "content_hash" BYTEA;

-- CreateIndex
CREATE INDEX "file_customer_key_dataset_id_content_hash_idx" ON "file"("customer_key", "dataset_id", "content_hash");
