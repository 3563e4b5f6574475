-- Supabase serves the tables of this schema by its Data API, to anybody who has the publishable key.
-- Without a policy nobody but the owner, who is the gateway, sees or changes a row.
DO $$
DECLARE
  found record;
BEGIN
  FOR found IN
    SELECT oid::regclass AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
  LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', found.name);
  END LOOP;
END
$$;
