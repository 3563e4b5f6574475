import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A process that runs. */
interface Process {
  pid: number;
  ppid: number;
  /** Bytes of memory. */
  resident: number;
  args: string;
}

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

/** Bytes of resident memory of a process and of those that it has started, each by its id. */
export async function residentMemory(parent: number | undefined): Promise<Map<number, number>> {
  return new Map((await familyOf(parent)).map(({ pid, resident }) => [pid, resident]));
}

/** A process and those that it has started. */
export async function familyOf(parent: number | undefined): Promise<Process[]> {
  const running = await runningProcesses();
  return running.filter(({ pid, ppid }) => pid === parent || ppid === parent);
}

async function runningProcesses(): Promise<Process[]> {
  const columns = 'pid=,ppid=,rss=,stat=,args=';
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', columns]);
  return stdout.split('\n').flatMap((line) => {
    const [pid, ppid, kilobytes, state, ...args] = line.trim().split(/\s+/);
    if (!state || state.startsWith('Z')) return [];
    const [resident, command] = [Number(kilobytes) * 1024, args.join(' ')];
    return [{ pid: Number(pid), ppid: Number(ppid), resident, args: command }];
  });
}
