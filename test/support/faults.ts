import { Prisma, type PrismaClient } from '../../src/generated/prisma/client.ts';
import type { AnswerModel } from '../../src/ports/language-model.ts';
import type { Dependencies } from '../../src/use-cases/dependencies.ts';

/** Stands before a call: it may note it, hold it up, or fail it by throwing. */
type Fault = (args: readonly unknown[]) => unknown;

/** Ports whose every method returns a promise. */
const PORTS = ['index', 'storage', 'embeddings'] as const;

/**
 * Faults between use-cases and adapters: hand `override` to `startGateway`, then say what goes wrong.
 * Behind every fault the real adapter works.
 */
export function createFaults() {
  const faults = new Map<string, Fault>();
  const logged: string[] = [];
  let answer: AnswerModel['answer'] | undefined;
  let dependencies: Dependencies | undefined;

  return {
    override(deps: Dependencies): Dependencies {
      dependencies = deps;
      const note = (_: object, message: string) => logged.push(message);
      const overridden = {
        ...deps,
        prisma: listenTo(deps.prisma),
        query: wrapQuery(deps.query),
        answers: replace(deps.answers),
        log: { ...deps.log, error: note },
      };
      for (const port of PORTS) Object.assign(overridden, { [port]: wrap(port, deps[port]) });
      return overridden;
    },

    /** What the gateway was given, without faults. */
    get deps(): Dependencies {
      if (!dependencies) throw new Error('start a gateway with override first');
      return dependencies;
    },

    /** What was logged as an error, since the start or the last `mend`. */
    logged,

    /**
     * Before every `call`, such as `index.remove` or `prisma.file.deleteMany`; `sql.query` is every
     * statement that is not Prisma's, and `sql:DELETE FROM file` those with this text, Prisma's raw
     * ones too.
     */
    before(call: string, fault: Fault): void {
      faults.set(call, fault);
    },

    /** `call` fails from now on. */
    fail(call: string): void {
      faults.set(call, () => {
        throw new Error(`${call} is broken on purpose`);
      });
    },

    /** Another model answers from now on. */
    answerWith(model: AnswerModel['answer']): void {
      answer = model;
    },

    /** Everything works again. */
    mend(): void {
      faults.clear();
      logged.length = 0;
      answer = undefined;
    },
  };

  function wrap<P extends object>(name: string, port: P): P {
    return new Proxy(port, {
      get(target, method) {
        const value: unknown = Reflect.get(target, method);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          const fault = faults.get(`${name}.${String(method)}`);
          if (!fault) return value.apply(target, args);
          return Promise.resolve(fault(args)).then(() => value.apply(target, args));
        };
      },
    });
  }

  function wrapQuery(query: Dependencies['query']): Dependencies['query'] {
    return async (statement) => {
      await faults.get('sql.query')?.([statement]);
      await beforeText(statement);
      return query(statement);
    };
  }

  async function beforeText(statement: { text: string }): Promise<void> {
    for (const [call, fault] of faults) {
      const isMeant = call.startsWith('sql:') && statement.text.includes(call.slice(4));
      if (isMeant) await fault([statement]);
    }
  }

  function listenTo(prisma: PrismaClient): PrismaClient {
    return prisma.$extends({
      query: {
        async $allOperations({ model, operation, args, query }) {
          const name = model ? model.charAt(0).toLowerCase() + model.slice(1) : 'raw';
          await faults.get(`prisma.${name}.${operation}`)?.([args]);
          if (args instanceof Prisma.Sql) await beforeText(args);
          return query(args);
        },
      },
    }) as unknown as PrismaClient;
  }

  function replace(answers: AnswerModel): AnswerModel {
    return {
      name: answers.name,
      answer: (prompt, signal) => (answer ?? answers.answer)(prompt, signal),
      rewrite: (followUp, signal) => answers.rewrite(followUp, signal),
      check: () => answers.check(),
    };
  }
}

export type Faults = ReturnType<typeof createFaults>;
