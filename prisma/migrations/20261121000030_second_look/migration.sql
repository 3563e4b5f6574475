-- AlterTable
ALTER TABLE "pending_file" ADD COLUMN "keep_until" TIMESTAMPTZ(3);
