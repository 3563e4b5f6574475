-- AlterTable
ALTER TABLE "dataset" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "dataset_change" (
    "customer_key" INTEGER NOT NULL,
    "dataset_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "file_id" UUID,
    "created" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "dataset_change_pkey" PRIMARY KEY ("customer_key","dataset_id","version")
);

-- CreateIndex
CREATE INDEX "dataset_change_created_idx" ON "dataset_change"("created");

-- AddForeignKey
ALTER TABLE "dataset_change" ADD CONSTRAINT "dataset_change_customer_key_dataset_id_fkey" FOREIGN KEY ("customer_key", "dataset_id") REFERENCES "dataset"("customer_key", "id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "dataset_change" ENABLE ROW LEVEL SECURITY;

-- A trigger, because gateways of an earlier version add and delete files, too. A file is listed from
-- the insertion of its record to the insertion of an intent for it. Notifications are sent when the
-- transaction commits, and have no text of users: only the key of the customer.
CREATE FUNCTION "log_dataset_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH changed AS MATERIALIZED (
    SELECT fresh.customer_key, listed.dataset_id, listed.id,
      row_number() OVER (PARTITION BY fresh.customer_key, listed.dataset_id) AS place,
      count(*) OVER (PARTITION BY fresh.customer_key, listed.dataset_id) AS total
    FROM fresh CROSS JOIN LATERAL (
      SELECT dataset_id, id FROM file
      WHERE file.customer_key = fresh.customer_key AND file.loader_key = fresh.loader_key
      -- Keeps the planner from scanning all files.
      OFFSET 0
    ) AS listed
  ), entries AS (
    SELECT customer_key, dataset_id, TG_ARGV[0] AS kind, id, place, total
    FROM changed WHERE total <= 100
    UNION ALL
    SELECT DISTINCT customer_key, dataset_id, 'many', NULL::uuid, 1, 1 FROM changed WHERE total > 100
  ), moved AS (
    UPDATE dataset SET version = version + entry.total
    FROM (SELECT DISTINCT customer_key, dataset_id, total FROM entries) AS entry
    WHERE dataset.customer_key = entry.customer_key AND dataset.id = entry.dataset_id
    RETURNING dataset.customer_key, dataset.id AS dataset_id, version - entry.total AS version
  )
  INSERT INTO dataset_change (customer_key, dataset_id, version, kind, file_id)
  SELECT customer_key, dataset_id, moved.version + entries.place, entries.kind, entries.id
  FROM entries JOIN moved USING (customer_key, dataset_id);
  IF FOUND THEN
    PERFORM pg_notify('filequery_changes', customer_key::text)
    FROM (SELECT DISTINCT customer_key FROM fresh) AS customers;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "file_listed" AFTER INSERT ON "file" REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION "log_dataset_changes"('added');

CREATE TRIGGER "file_hidden" AFTER INSERT ON "pending_file" REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION "log_dataset_changes"('removed');
