import { expect } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import type { Reply } from './client.ts';

/** The filequery command on a data folder, in this process. */
export function createFilequery(dataDir: string, settings: Record<string, string> = {}) {
  const environment = { DATA_DIR: dataDir, ...settings };
  return {
    /** Runs a command to its end. */
    async run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
      const written = { stdout: '', stderr: '' };
      const code = await runCommand(args, {
        environment,
        out: (text) => {
          written.stdout += text;
        },
        err: (text) => {
          written.stderr += text;
        },
      });
      return { code, ...written };
    },

    /** What a command prints for people; it must succeed. */
    async told(...args: string[]): Promise<string> {
      const { code, stdout, stderr } = await this.run(...args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout;
    },

    /** What a command prints for programs: exactly one line of JSON; it must succeed. */
    async json(...args: string[]): Promise<Reply['body']> {
      const stdout = await this.told(...args, '--json');
      expect(stdout.split('\n')).toEqual([expect.any(String), '']);
      return JSON.parse(stdout);
    },
  };
}

export type Filequery = ReturnType<typeof createFilequery>;
