-- What an asynchronous upload does with files that its dataset has already.

-- AlterTable
ALTER TABLE "ingestion" ADD COLUMN "duplicates" JSONB;
