-- What keywords find a chunk by: how many words it has, and how often each term occurs, by a hash of
-- the term. Rows of before have neither: they go, and their chunks are indexed anew.
TRUNCATE "chunk_index";
ALTER TABLE "chunk_index" ADD COLUMN "length" INTEGER NOT NULL, ADD COLUMN "terms" sparsevec NOT NULL;

-- Searches without memory read the terms of all chunks, so they stay in the row; nothing in them
-- can be compressed.
ALTER TABLE "chunk_index" ALTER "terms" SET STORAGE EXTERNAL;
ALTER TABLE "chunk_index" SET (toast_tuple_target = 8160);
