import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Megabytes of memory that a process and those below it hold, in which pages that several share
 * count once (PSS); not a number where the system does not tell.
 */
export async function megabytesOf(pid: number | undefined): Promise<number> {
  const sizes = await Promise.all((await withDescendants(pid)).map(kilobytesOf));
  return sizes.reduce((sum, size) => sum + size, 0) / 1024 || Number.NaN;
}

async function withDescendants(root: number | undefined): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const found = new Set([root ?? Number.NaN]);
  for (const pid of found) {
    for (const [child, parent] of pairs) if (parent === pid && child) found.add(child);
  }
  return [...found];
}

/** None of a process that has ended. */
async function kilobytesOf(pid: number): Promise<number> {
  const memory = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB/m.exec(memory)?.[1] ?? 0);
}
