import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OldFormat } from './old-office.ts';
import { REASONS, UnreadableError } from './unreadable.ts';

export interface Conversion {
  /** The path of LibreOffice's program. */
  office: string;
  format: OldFormat;
  /** In seconds, a whole number. */
  timeLimit: number;
  signal: AbortSignal;
}

const OPTIONS = ['--headless', '--norestore', '--nologo', '--nodefault', '--nolockcheck'];
/** Blocks of 512 bytes: what LibreOffice may write. */
const MOST_BLOCKS = 2 * 256 * 1024;
/** In kB of address space. LibreOffice reserves more than it uses. */
const MOST_MEMORY = 4 * 1024 * 1024;

/**
 * Converts a document of an old Office version by LibreOffice, in a process without the settings of the
 * gateway, with a temporary profile that runs no macros, follows no links and has no network.
 *
 * @returns the path of the converted document, in a folder `<path>.office` that the caller removes
 * @throws UnreadableError
 */
export async function convertOffice(path: string, conversion: Conversion): Promise<string> {
  const { office, format, timeLimit, signal } = conversion;
  const folder = officeFolder(path);
  await mkdir(join(folder, 'user'), { recursive: true, mode: 0o700 });
  await writeFile(join(folder, 'user', 'registrymodifications.xcu'), PROFILE);
  const limit = AbortSignal.timeout(timeLimit * 1000);
  await run(
    office,
    [
      ...OPTIONS,
      `-env:UserInstallation=${pathToFileURL(folder)}`,
      `--infilter=${format.filter}`,
      ...['--convert-to', format.convertTo, '--outdir', folder],
      path,
    ],
    { folder, timeLimit, signal: AbortSignal.any([signal, limit]) },
  );
  signal.throwIfAborted();
  if (limit.aborted) throw new UnreadableError(REASONS.tooSlow);
  // LibreOffice succeeds without a result when it cannot read a document.
  const converted = join(folder, `${basename(path)}.${format.convertTo}`);
  await access(converted).catch(() => {
    throw new UnreadableError('it is broken, or protected by a password');
  });
  return converted;
}

/** Removes what a conversion has left beside a document. */
export function removeConversion(path: string): Promise<void> {
  return rm(officeFolder(path), { recursive: true, force: true });
}

function officeFolder(path: string): string {
  return `${path}.office`;
}

/** Runs LibreOffice, which starts a child process, until it ends. */
async function run(
  office: string,
  args: string[],
  { folder, timeLimit, signal }: { folder: string; timeLimit: number; signal: AbortSignal },
): Promise<void> {
  const limits = `ulimit -f ${MOST_BLOCKS}; ulimit -v ${MOST_MEMORY}; ulimit -t ${timeLimit}`;
  const isWindows = process.platform === 'win32';
  const [command, ...all] = isWindows
    ? [office, ...args]
    : ['/bin/sh', '-c', `${limits}; exec "$@"`, 'sh', office, ...args];
  const child = spawn(command ?? office, all, {
    // Its wrapper script needs the tools of the system.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' },
    cwd: folder,
    stdio: 'ignore',
    // A separate process group, which can be killed as a whole.
    detached: !isWindows,
  });
  const kill = () => {
    if (child.pid === undefined) return;
    try {
      process.kill(isWindows ? child.pid : -child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  try {
    await once(child, 'close');
  } finally {
    signal.removeEventListener('abort', kill);
    // What it may have started.
    kill();
  }
}

const SECURITY = 'org.openoffice.Office.Common/Security/Scripting';
const INTERNET = 'org.openoffice.Inet/Settings';
/** A port where nothing listens. */
const NOWHERE: [string, string | number][] = ['HTTP', 'HTTPS'].flatMap((scheme) => [
  [`ooInet${scheme}ProxyName`, '127.0.0.1'],
  [`ooInet${scheme}ProxyPort`, 9],
]);
const SETTINGS: [path: string, name: string, value: string | number | boolean][] = [
  [SECURITY, 'DisableMacrosExecution', true],
  [SECURITY, 'MacroSecurityLevel', 3],
  [SECURITY, 'DisableActiveContent', true],
  // No images, documents or objects from elsewhere, be it the network or this machine.
  [SECURITY, 'BlockUntrustedRefererLinks', true],
  ['org.openoffice.Office.Writer/Content/Update', 'Link', 2],
  [INTERNET, 'ooInetProxyType', 2],
  ...NOWHERE.map(([name, value]) => [INTERNET, name, value] as [string, string, string | number]),
];
const PROFILE = [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<oor:items xmlns:oor="http://openoffice.org/2001/registry">',
  ...SETTINGS.map(
    ([path, name, value]) =>
      `<item oor:path="/${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  ),
  '</oor:items>',
].join('\n');
