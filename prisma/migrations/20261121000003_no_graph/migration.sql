-- Codes in memory find more, and sooner, than graphs of them did.
DO $$
DECLARE
  found record;
BEGIN
  FOR found IN
    SELECT indexrelid::regclass AS name FROM pg_index
    WHERE indrelid = 'chunk'::regclass AND indexrelid::regclass::text LIKE 'chunk\_graph\_%'
  LOOP
    EXECUTE format('DROP INDEX %s', found.name);
  END LOOP;
END
$$;
-- AlterTable
ALTER TABLE "dataset" DROP COLUMN "graph_key";
