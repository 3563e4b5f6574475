import { expect } from 'vitest';
import type { Reply } from './client.ts';
import { type Ended, run } from './process.ts';

/** The filequery command on a data folder, as a process of its own. */
export function createFilequery(dataDir: string, settings: Record<string, string> = {}) {
  return {
    /** Runs a command to its end. */
    run: (...args: string[]): Promise<Ended> =>
      run('src/cli/main.ts', args, { DATA_DIR: dataDir, ...settings }).ended,

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
