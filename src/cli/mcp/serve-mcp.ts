import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { readConfig } from '../../config/config.ts';
import { readEnvironment } from '../../config/read-environment.ts';
import { ConfigurationError } from '../../core/errors.ts';
import { reasonOf } from '../../core/reason-of.ts';
import type { Terminal } from '../output.ts';
import { type Remote, readRemote } from '../remote/remote.ts';
import { importFolder } from './import-folder.ts';
import { type LocalGateway, openLocalGateway } from './local-gateway.ts';
import { bridgeStdio } from './stdio-bridge.ts';

export interface McpCommand {
  folder?: string;
  url?: string;
  dataset?: string;
  customer?: string;
}

/** The dataset of the files of a folder. */
const FOLDER_DATASET = 'files';

/**
 * Speaks the Model Context Protocol on standard input and output, for an assistant on this computer,
 * until the input has ended and its requests are answered. Everything else goes to standard error.
 *
 * @throws ConfigurationError when options, settings or the folder are wrong
 */
export async function serveMcp(command: McpCommand, { environment, out, err }: Terminal) {
  const variables = environment ?? readEnvironment();
  const folder = command.folder === undefined ? undefined : await readFolder(command.folder);
  const remote = command.url ? toRemote(command, variables) : undefined;
  const local = remote ? undefined : await openLocal(command, folder, variables);
  const gateway: Remote = remote ?? (local as LocalGateway);
  const { datasetId } = gateway;
  const path = `/mcp${datasetId === undefined ? '' : `?${new URLSearchParams({ datasetId })}`}`;
  const stopped = new AbortController();
  const imported = folder && importInBackground(gateway, folder, stopped.signal, err);
  try {
    const served = bridgeStdio({
      input: process.stdin,
      write: out,
      send: (body, headers, signal) =>
        gateway.client.fetch(path, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...headers,
          },
          body,
          signal,
        }),
    });
    const lost = local?.lost.then((error) => {
      throw error;
    });
    await (lost ? Promise.race([served, lost]) : served);
  } finally {
    stopped.abort();
    await imported;
    await local?.close();
  }
}

async function readFolder(path: string): Promise<string> {
  const folder = resolve(path);
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw new ConfigurationError(`--folder: ${folder} is no folder`);
  return folder;
}

function toRemote({ url, dataset, customer }: McpCommand, variables: NodeJS.ProcessEnv): Remote {
  if (customer !== undefined) throw new ConfigurationError('--customer: cannot be used with --url');
  return readRemote({ ...(url && { url }), ...(dataset && { dataset }) }, variables);
}

function openLocal(
  { dataset, customer }: McpCommand,
  folder: string | undefined,
  variables: NodeJS.ProcessEnv,
): Promise<LocalGateway> {
  const datasetId = dataset ?? (folder && FOLDER_DATASET);
  if (datasetId === undefined) {
    throw new ConfigurationError('--dataset: must be set without --folder');
  }
  // Assistants start commands in any folder, so a relative default would be a different folder each time.
  const dataDir = variables['DATA_DIR'] || (folder && dataDirOf(folder));
  const config = readConfig({ ...variables, DATA_DIR: dataDir });
  return openLocalGateway(config, { datasetId, customer });
}

/** Where the data of a folder is kept: not in the folder, which may be shared or synchronised. */
function dataDirOf(folder: string): string {
  const id = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  return join(homedir(), '.filequery', `${basename(folder)}-${id}`);
}

/** Tools work from the start, and find more as files are imported. */
async function importInBackground(
  remote: Remote,
  folder: string,
  signal: AbortSignal,
  err: Terminal['err'],
): Promise<void> {
  const tell = (line: string) => err(`${line}\n`);
  await importFolder({ remote, folder, signal, tell }).catch((error: unknown) => {
    if (!signal.aborted) tell(`The folder could not be imported: ${reasonOf(error)}`);
  });
}
