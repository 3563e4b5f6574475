import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type {
  MigrationDirectory,
  SchemaEngine,
  SchemaFilter,
} from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { Pool } from 'pg';

const PRISMA = new URL('../../../prisma/', import.meta.url);
const FILTERS: SchemaFilter = { externalTables: [], externalEnums: [] };

/**
 * Applies what is new in prisma/migrations with Prisma's own engine and semantics
 * (`prisma migrate deploy`): recorded in `_prisma_migrations`, never applied twice.
 *
 * @param pool of one connection: the engine takes a lock of its session
 * @param names all migrations unless given
 * @returns the names of the migrations that were applied now
 * @throws what PostgreSQL, or the engine, says against it
 */
export async function applyMigrations(pool: Pool, names?: string[]): Promise<string[]> {
  const adapter = new ScriptAdapter(pool);
  using engine = await openSchemaEngine(pool, adapter);
  const migrationsList = await readMigrations(names ?? (await migrationNames()));
  try {
    const list = { migrationsList, filters: FILTERS };
    return (await engine.applyMigrations(list)).appliedMigrationNames;
  } catch (error) {
    throw adapter.failure ?? error;
  }
}

/** Prisma's engine on the database behind `pool`. */
export async function openSchemaEngine(
  pool: Pool,
  adapter = new ScriptAdapter(pool),
): Promise<SchemaEngine> {
  const { path, content } = await readSchema();
  engineModule ??= loadEngine();
  const { SchemaEngine: Engine } = await engineModule;
  return Engine.new(
    { datamodels: [[path, content]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(adapter),
  );
}

/** PrismaPg cuts a script at every semicolon, also inside `DO $$ ... $$`; PostgreSQL takes it whole, and as one transaction. */
class ScriptAdapter extends PrismaPg {
  /** Why a script failed, of which the engine says nothing. */
  failure: unknown;

  override async connect() {
    const adapter = await super.connect();
    adapter.executeScript = async (script) => {
      await adapter
        .underlyingDriver()
        .query(script)
        .catch((error: unknown) => {
          this.failure = error;
          throw error;
        });
    };
    return adapter;
  }
}

/** The generated bindings hold one instance for the whole process, so it is loaded once. */
let engineModule: ReturnType<typeof loadEngine> | undefined;

/** Prisma ships the engine as a native download or as WASM; the WASM one needs no download, but is loaded by hand. */
async function loadEngine() {
  const url = import.meta.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasm = await readFile(new URL(url.replace(/\.js$/, '.wasm')));
  const { instance } = await WebAssembly.instantiate(wasm, {
    './schema_engine_bg.js': withIdleTimers(bindings as unknown as WebAssembly.ModuleImports),
  });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports['__wbindgen_start'] as () => void)();
  return bindings;
}

/** The engine never clears the timer of its lock: left as it is, it would hold a process for ten seconds. */
function withIdleTimers(bindings: WebAssembly.ModuleImports): WebAssembly.ModuleImports {
  const timers = Object.keys(bindings)
    .filter((name) => name.startsWith('__wbg_setTimeout'))
    .map((name) => [name, (run: () => void, ms: number) => setTimeout(run, ms >>> 0).unref()]);
  return { ...bindings, ...Object.fromEntries(timers) };
}

/** The migrations of prisma/migrations, in their order. */
export async function migrationNames(): Promise<string[]> {
  const entries = await readdir(new URL('migrations/', PRISMA), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

async function readSchema() {
  return {
    path: 'schema.prisma',
    content: await readFile(new URL('schema.prisma', PRISMA), 'utf8'),
  };
}

async function readMigrations(names: string[]) {
  const base = new URL('migrations/', PRISMA);
  const migrationDirectories: MigrationDirectory[] = await Promise.all(
    names.map(async (name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: {
          tag: 'ok' as const,
          value: await readFile(new URL(`${name}/migration.sql`, base), 'utf8'),
        },
      },
    })),
  );
  return {
    baseDir: fileURLToPath(base),
    lockfile: {
      path: 'migration_lock.toml',
      content: await readFile(new URL('migration_lock.toml', base), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories,
  };
}
