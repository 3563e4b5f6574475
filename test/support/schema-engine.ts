import { readFile } from 'node:fs/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  DriverAdapterError,
} from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { DatabaseError, Pool } from 'pg';

const SCHEMA = new URL('../../prisma/schema.prisma', import.meta.url);

/**
 * Prisma's schema engine on the database behind `pool`. Prisma's command line downloads a native
 * one; this is the same in WebAssembly.
 *
 * @param pool of one connection: the engine takes a lock of its session
 */
export async function openSchemaEngine(pool: Pool): Promise<SchemaEngine> {
  engineModule ??= loadEngine();
  const { SchemaEngine: Engine } = await engineModule;
  return Engine.new(
    { datamodels: [['schema.prisma', await readFile(SCHEMA, 'utf8')]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(new ScriptAdapter(pool)),
  );
}

/** PrismaPg cuts a script at every semicolon, also inside `DO $$ ... $$`; PostgreSQL takes it whole, and as one transaction. */
class ScriptAdapter extends PrismaPg {
  override async connect() {
    const adapter = await super.connect();
    adapter.executeScript = async (script) => {
      await adapter.underlyingDriver().query(script).catch(rethrow);
    };
    return adapter;
  }
}

/** As the engine takes it, which else would not know that the database said it. */
function rethrow({ code = '', severity = '', message, ...error }: DatabaseError): never {
  const { detail, column, hint } = error;
  throw new DriverAdapterError({
    ...{ kind: 'postgres', code, severity, message },
    ...{ detail, column, hint },
  });
}

/** The generated bindings hold one instance for the whole process, so it is loaded once. */
let engineModule: ReturnType<typeof loadEngine> | undefined;

/** The bindings leave it to a bundler to load the WebAssembly. */
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
