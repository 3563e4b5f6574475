import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../src/http/listen.ts';
import { createFilequery } from '../support/filequery.ts';
import { type ListeningGateway, startListening } from '../support/listening.ts';
import { callTool, type McpClient } from '../support/mcp.ts';
import { FOR_A_MOMENT, newDataFolder, runIn } from '../support/process.ts';

/* `filequery mcp`, as a desktop assistant starts it. */

/** Starts the command with these variables and no others of ours, and connects a client to it. */
async function start(args: string[], env: Record<string, string>, isModern = false) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [FOR_A_MOMENT, resolve('src/cli/main.ts'), 'mcp', ...args],
    // In another folder: a developer's `.env` is not for tests.
    cwd: import.meta.dirname,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stderr: 'pipe',
  });
  let log = '';
  const { promise: imported, resolve: end } = Promise.withResolvers<string>();
  transport.stderr?.on('data', (data: Buffer) => {
    log += data;
    const [line] = /^\d+ imported.*$/m.exec(log) ?? [];
    if (line) end(line);
  });
  const client: McpClient = new Client(
    { name: 'test', version: '1' },
    isModern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
  const wrong: Error[] = [];
  const lateProgress: Error[] = [];
  client.onerror = (error) => {
    // The client forgets the progress of a call with its result, even of progress that came before it.
    const isLate = /progress notification for an unknown token/.test(error.message);
    (isLate ? lateProgress : wrong).push(error);
  };
  // Also when the test fails: the process holds the data folder.
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, transport, imported, wrong, lateProgress, log: () => log };
}

describe('of a folder', () => {
  let data: Awaited<ReturnType<typeof newDataFolder>>;
  let folder: string;

  beforeAll(async () => {
    data = await newDataFolder();
    folder = await mkdtemp(join(tmpdir(), 'filequery-test-'));
    await writeFile(join(folder, 'capital.txt'), 'The capital of Andorra is Andorra la Vella.');
    await writeFile(join(folder, 'currency.txt'), 'The currency of Andorra is the euro.');
    await writeFile(join(folder, 'broken.pdf'), '%PDF-1.7 and nothing else');
    await writeFile(join(folder, '.hidden.txt'), 'Hidden.');
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await data.remove();
  });

  test('imports its files, and answers from them', async () => {
    const { client, imported, wrong, lateProgress, log } = await start(['--folder', folder], {
      DATA_DIR: data.dataDir,
    });
    expect(await imported).toBe('2 imported (79 B), 0 already there, 1 failed');
    expect(log()).toMatch(/^broken\.pdf: /m);
    const currency = [{ key: 'path', match: { value: 'currency.txt' } }];
    const { files } = await callTool(client, 'list_files', { filters: currency });
    expect(files).toMatchObject([{ title: 'currency.txt' }]);
    const asked = { question: 'What is the capital of Andorra?' };
    const progress: unknown[] = [];
    const { structuredContent } = await client.callTool(
      { name: 'ask', arguments: asked },
      { onprogress: (one) => progress.push(one) },
    );
    expect(structuredContent).toMatchObject({ answer: expect.stringContaining('la Vella') });
    await expect.poll(() => progress.length + lateProgress.length).toBeGreaterThan(0);
    const [{ id }] = files;
    const { url } = await callTool(client, 'fetch', { id });
    expect(await (await fetch(url)).text()).toBe('The currency of Andorra is the euro.');
    expect(wrong).toEqual([]);
  });

  test('skips what is there, and replaces what has changed', async () => {
    await writeFile(join(folder, 'currency.txt'), 'The currency of Andorra was the peseta.');
    const { client, imported, wrong } = await start(
      ['--folder', folder],
      { DATA_DIR: data.dataDir },
      true,
    );
    expect(await imported).toBe('1 imported (39 B), 1 already there, 1 outdated removed, 1 failed');
    const { files } = await callTool(client, 'list_files');
    expect(files).toHaveLength(2);
    const { resources } = await client.listResources();
    const changed = resources.find(({ name }) => name === 'currency.txt');
    const { contents } = await client.readResource({ uri: changed?.uri ?? '' });
    expect(contents).toMatchObject([{ text: 'The currency of Andorra was the peseta.' }]);
    expect(wrong).toEqual([]);
  });
});

describe('of a gateway', () => {
  let gateway: ListeningGateway;

  beforeAll(async () => {
    gateway = await startListening();
  });
  afterAll(() => gateway.stop());

  test('passes on what it says, and keeps the key in the environment', async () => {
    const { apiKey } = await gateway.app.admin.createCustomer({ name: 'test', credits: '1' });
    let isCut = false;
    const server = await listen(
      (request) => {
        const events = { headers: { 'content-type': 'text/event-stream' } };
        return isCut ? new Response(':\n\n', events) : gateway.app.fetch(request);
      },
      { host: '127.0.0.1', port: 0 },
    );
    onTestFinished(() => server.stop());
    const { client, transport, wrong } = await start(['--url', server.url], {
      FILEQUERY_API_KEY: apiKey,
    });
    expect(await callTool(client, 'list_datasets')).toEqual({ datasets: [] });
    // JSON may contain the line separators of Unicode.
    for (const query of ['x', 'x\u2028y\u2029z']) {
      expect(await callTool(client, 'search', { query, datasetId: 'docs' })).toEqual({
        results: [],
      });
    }
    expect(wrong).toEqual([]);

    const received: unknown[] = [];
    transport.onmessage = (message) => received.push(message);
    const ping = (id: string) => ({ jsonrpc: '2.0' as const, id, method: 'ping' });
    // Clients of version 2025-03-26 may send a batch, which the type does not know.
    await transport.send([ping('a'), ping('b')] as unknown as JSONRPCMessage);
    const pong = (id: string) => ({ jsonrpc: '2.0', id, result: {} });
    await expect.poll(() => received).toHaveLength(2);
    expect(received).toEqual(expect.arrayContaining([pong('a'), pong('b')]));

    isCut = true;
    await transport.send(ping('c'));
    const error = { code: -32_603, message: 'the server sent no response' };
    await expect.poll(() => received.slice(2)).toEqual([{ jsonrpc: '2.0', id: 'c', error }]);
  });

  test('answers what was asked before the input ended', async () => {
    const { apiKey } = await gateway.app.admin.createCustomer({ name: 'test', credits: '1' });
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_datasets', arguments: {} },
    };
    const { ended } = runIn(
      import.meta.dirname,
      'sh',
      [
        '-c',
        'echo "$1" | "$0" "$2" mcp --url "$3"',
        process.execPath,
        JSON.stringify(call),
        resolve('src/cli/main.ts'),
        gateway.publicUrl,
      ],
      { FILEQUERY_API_KEY: apiKey },
    );
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      id: 1,
      result: { structuredContent: { datasets: [] } },
    });
  });

  test('passes on that the key is wrong', async () => {
    const refused = start(['--url', gateway.publicUrl], { FILEQUERY_API_KEY: 'fq_wrong' });
    await expect(refused).rejects.toThrow('Invalid API key or token');
  });
});

test.each([
  [['mcp'], {}, '--dataset: must be set without --folder'],
  [['mcp', '--folder', '/nowhere/at/all'], {}, '--folder: /nowhere/at/all is no folder'],
  [['mcp', '--url', 'localhost:4000'], {}, '--url: must be an http:// or https:// URL'],
  [
    ['mcp', '--url', 'http://localhost:4000'],
    {},
    'FILEQUERY_API_KEY: must be set to an API key or frontend token',
  ],
])('filequery %j is refused in one line', async (args, settings, line) => {
  const { code, stdout, stderr } = await createFilequery('/nowhere', settings).run(...args);
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: `${line}\n` });
});
