-- AlterTable
ALTER TABLE "dataset" ADD COLUMN "graph_key" INTEGER;
