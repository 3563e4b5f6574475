import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { ObjectStorage } from '../../src/ports/object-storage.ts';
import type { Dependencies } from '../../src/use-cases/dependencies.ts';
import { isShared } from './gateway.ts';

/** What happens at an effect, which is a statement of SQL or a call of the storage. */
export type Cut =
  /** It fails, and nothing of it was done. */
  | 'not done'
  /** It is done, and its reply is lost. */
  | 'reply lost'
  /** The process ends before it: neither it nor anything after it is done. */
  | 'process gone';

/** Effects of the storage; others only look. */
const STORAGE_CALLS = ['put', 'remove', 'signUrls'] as const;

type AnyQuery = (this: pg.Client, ...args: unknown[]) => Promise<unknown>;

/**
 * Cuts what a gateway does at any of its effects. Hand `override` to the gateway; what is done between
 * `begin` and `end` is counted, and cut where it is to be.
 */
export function createCuts() {
  const { query } = pg.Client.prototype;
  const { connect } = pg.Pool.prototype;
  /** Pools, their clients, and storages: of the gateways that live, and of those that are gone. */
  const living = new Set<object>();
  const dead = new WeakSet<object>();
  let plan: { at: (effect: string, index: number) => boolean; cut: Cut } | undefined;
  let effects: string[] = [];
  let running = false;
  let gone = Promise.withResolvers<undefined>();

  pg.Pool.prototype.connect = function (this: pg.Pool, ...args: unknown[]) {
    if (dead.has(this)) return new Promise(() => {});
    // The shared gateway works in the background meanwhile, and lives on.
    if (isShared(this)) return Reflect.apply(connect, this, args);
    if (!living.has(this)) this.on('connect', (client) => living.add(client));
    living.add(this);
    return Reflect.apply(connect, this, args);
  } as typeof connect;

  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [statement] = args;
    const callback = args.find((arg) => typeof arg === 'function');
    const isStream = typeof (statement as { submit?: unknown })?.submit === 'function';
    if (dead.has(this)) return new Promise(() => {});
    if (isStream || !living.has(this)) return Reflect.apply(query, this, args);
    const given = args.filter((arg) => arg !== callback);
    const done = effect(
      textOf(statement),
      () => Reflect.apply(query as AnyQuery, this, given),
      () => sever(this),
    );
    if (!callback) return done;
    done.then(
      (result) => callback(null, result),
      (error: unknown) => callback(error),
    );
    return undefined;
  } as typeof query;

  return {
    override(deps: Dependencies): Dependencies {
      const storage: ObjectStorage = { ...deps.storage };
      living.add(storage);
      for (const name of STORAGE_CALLS) {
        const call = deps.storage[name] as (...args: unknown[]) => Promise<unknown>;
        const cuttable = (...args: unknown[]) =>
          dead.has(storage)
            ? new Promise(() => {})
            : effect(
                `storage.${name}`,
                () => call(...args),
                () => {},
              );
        Object.assign(storage, { [name]: cuttable });
      }
      return { ...deps, storage };
    },

    /** @param where counts from 0, or picks an effect by its text; nothing is cut unless given */
    begin(cut?: { cut: Cut; where: number | RegExp }): void {
      effects = [];
      running = true;
      gone = Promise.withResolvers();
      plan = cut && {
        cut: cut.cut,
        at: (name, index) =>
          typeof cut.where === 'number' ? index === cut.where : cut.where.test(name),
      };
    },

    /** Resolves when the process is gone. */
    get gone(): Promise<undefined> {
      return gone.promise;
    },

    /** @returns the effects there were */
    end(): string[] {
      running = false;
      plan = undefined;
      return effects;
    },

    restore(): void {
      pg.Client.prototype.query = query;
      pg.Pool.prototype.connect = connect;
    },
  };

  async function effect<T>(name: string, run: () => Promise<T>, lose: () => unknown): Promise<T> {
    if (!running) return run();
    const index = effects.push(name) - 1;
    if (!plan?.at(name, index)) return run();
    const { cut } = plan;
    // Once only: what comes after it works again, unless the process is gone.
    plan = undefined;
    if (cut === 'process gone') {
      endProcess();
      return new Promise(() => {});
    }
    if (cut === 'reply lost') await run();
    await lose();
    throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
  }

  /** Connections end, so that the server undoes what is open; whoever waits, waits for ever. */
  function endProcess(): void {
    for (const part of living) {
      dead.add(part);
      if (part instanceof pg.Client) sever(part);
    }
    living.clear();
    gone.resolve(undefined);
  }
}

export type Cuts = ReturnType<typeof createCuts>;

/** Ends a connection as a network does. */
async function sever(client: pg.Client): Promise<void> {
  const { connection } = client as unknown as { connection: { stream: Duplex } };
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  connection.stream.destroy();
  await ended;
}

function textOf(statement: unknown): string {
  const { text } = Object(statement) as { text?: string };
  return (text ?? String(statement)).replaceAll(/\s+/g, ' ').trim();
}
