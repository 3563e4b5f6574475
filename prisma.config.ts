import { defineConfig } from 'prisma/config';

// `prisma generate` looks for a schema engine that it does not use, and would download it.
if (process.argv.includes('generate')) {
  process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath;
}

export default defineConfig({
  schema: 'prisma/schema.prisma',
  // For `prisma migrate`, which may be used on the gateway's database.
  datasource: { url: process.env['MIGRATION_DATABASE_URL'] || process.env['DATABASE_URL'] || '' },
});
