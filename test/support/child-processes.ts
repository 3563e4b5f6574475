import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The processes that a process has started and that run, whose command names a file. */
export async function childrenOf(parent: number | undefined, file: string): Promise<number[]> {
  const running = await runningProcesses();
  return running
    .filter(({ ppid, args }) => ppid === parent && args.includes(file))
    .map(({ pid }) => pid);
}

/** Whether a process runs. One that ended, and of which nobody has asked how, does not. */
export async function runs(pid: number): Promise<boolean> {
  return (await runningProcesses()).some((running) => running.pid === pid);
}

async function runningProcesses() {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat=,args=']);
  return stdout.split('\n').flatMap((line) => {
    const [, pid, ppid, state, args = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return state && !state.startsWith('Z') ? [{ pid: Number(pid), ppid: Number(ppid), args }] : [];
  });
}
