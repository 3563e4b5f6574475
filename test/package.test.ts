import { execFile } from 'node:child_process';
import { existsSync, openAsBlob } from 'node:fs';
import {
  access,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from './support/client.ts';
import { fetchFrom } from './support/fetch-from.ts';
import { CHINESE_FONTS, madePdf } from './support/made-pdf.ts';
import { type Running, runIn } from './support/process.ts';

/*
 * The package as it is installed. Instead of `npm install`, which needs the registry, its folder is
 * unpacked into node_modules and its dependencies are linked beside it: only those that it names.
 */

/** An import of another package: a line that begins with it or ends with what it is from, or a call. */
const IMPORTED =
  /(?:^(?:import|\} from|export [^'"\n]* from)\b[^'"\n]*?|(?<![.\w])(?:import|require)\()["']([^"'.$\n][^"'\n]*)["']/gm;

/** The package of node_modules/filequery. */
let installed: string;
let consumer: string;
// As npx does: the command's first line looks for `node` in PATH.
const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter);
const filequery = (...args: string[]) =>
  runIn(consumer, join(consumer, 'node_modules/.bin/filequery'), args, { PATH });

beforeAll(async () => {
  consumer = await mkdtemp(join(tmpdir(), 'filequery-test-'));
  installed = join(consumer, 'node_modules/filequery');
  await mkdir(installed, { recursive: true });
  const call = promisify(execFile);
  await call('npm', ['run', 'build']);
  // Without scripts: `prepare` would replace the generated code that other tests are using.
  await call('npm', ['pack', '--ignore-scripts', '--pack-destination', consumer]);
  const [tarball = ''] = (await readdir(consumer)).filter((name) => name.endsWith('.tgz'));
  await call('tar', ['-xzf', join(consumer, tarball), '-C', installed, '--strip-components=1']);

  const { dependencies, bin } = await readPackage();
  for (const [name, target] of [
    ...Object.keys(dependencies).map((name) => [name, join(process.cwd(), 'node_modules', name)]),
    ['.bin/filequery', join(installed, bin.filequery)],
  ] as [string, string][]) {
    const link = join(consumer, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(target, link);
  }
  await writeFile(join(consumer, '.env'), 'DATA_DIR=data\nPORT=0\nLOG_LEVEL=warn\n');
}, 180_000);
afterAll(() => rm(consumer, { recursive: true, force: true }));

describe('the package', () => {
  it('has no tests, no sources, and nothing that runs when it is installed', async () => {
    const files = await readdir(installed, { recursive: true });
    expect(files.filter((file) => /(^|\/)(src|test|node_modules)(\/|$)/.test(file))).toEqual([]);
    expect(files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([]);
    const { scripts, private: isPrivate, engines } = await readPackage();
    expect(isPrivate).toBeUndefined();
    expect(engines.node).toBe('>=24');
    expect(Object.keys(scripts)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(pre|post)?install$/)]),
    );
  });

  it('takes at most 300 MB with what it depends on', async () => {
    const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
      packages: Record<string, { dev?: boolean }>;
    };
    const names = Object.keys(packages).filter((name) => name && !packages[name]?.dev);
    // Of those for other platforms nothing is installed.
    const folders = [installed, ...names.filter((name) => existsSync(name))];
    const { stdout } = await promisify(execFile)('du', ['-smc', ...folders]);
    const total = Number(/^(\d+)\ttotal$/m.exec(stdout)?.[1]);
    expect(total).toBeGreaterThan(100);
    expect(total).toBeLessThan(300);
  });

  it('has every file that its modules load', async () => {
    const dist = join(installed, 'dist');
    const modules = (await readdir(dist, { recursive: true })).filter((name) =>
      name.endsWith('.js'),
    );
    const loaded: string[] = [];
    for (const name of modules) {
      const module = join(dist, name);
      const text = await readFile(module, 'utf8');
      for (const [, path = ''] of text.matchAll(/new URL\('([^']+)', import\.meta\.url\)/g)) {
        await access(new URL(path, pathToFileURL(module)));
        loaded.push(path);
      }
      for (const [, path = ''] of text.matchAll(/moduleUrl\('([^']+)', import\.meta\.url\)/g)) {
        await access(new URL(`./${path}.js`, pathToFileURL(module)));
        loaded.push(path);
      }
    }
    expect(loaded.sort()).toEqual([
      '../../../generated/pdfjs/',
      '../../../prisma/migrations/',
      '../../generated/empty-database.tar.gz',
      '../../package.json',
      '../generated/redoc.js.gz',
      './documents/',
      'compare.wasm',
      'embedded-postgres-process',
      'encode.wasm',
      'extraction-process',
      'limit-memory',
    ]);
  });

  it('has a chat that names no file, which a bundler would look for', async () => {
    const script = await readFile(join(installed, 'dist/generated/filequery-chat.js'), 'utf8');
    // Turbopack reads `new URL(x, import.meta.url)` as the name of a file, also through a variable.
    const [, variable = ''] = /([\w$]+)=import\.meta\.url/.exec(script) ?? [];
    const bases = [...script.matchAll(/new URL\([^()]+,([^()]+)\)/g)].map(([, base]) => base);
    expect(variable).not.toBe('');
    expect(bases).not.toContain(variable);
    expect(bases).not.toContain('import.meta.url');
  });

  it('names every package that its modules import', async () => {
    const { dependencies } = await readPackage();
    const unnamed = new Set<string>();
    for (const name of await readdir(join(installed, 'dist'), { recursive: true })) {
      if (!name.endsWith('.js')) continue;
      const text = await readFile(join(installed, 'dist', name), 'utf8');
      for (const [, id = ''] of text.matchAll(IMPORTED)) {
        const [imported = ''] = /^(@[^/]+\/)?[^/]+/.exec(id) ?? [];
        if (!isBuiltin(id) && !Object.hasOwn(dependencies, imported)) unnamed.add(imported);
      }
    }
    // Of officeparser and pdf.js, for what they are not asked for: they render and write nothing.
    expect([...unnamed].sort()).toEqual([
      '@napi-rs/canvas',
      'pdf-lib',
      'pdfjs-dist',
      'puppeteer',
      'tesseract.js',
    ]);
  });
});

describe('the command filequery, installed', () => {
  let gateway: Running;
  let url: string;
  let apiKey: string;

  beforeAll(async () => {
    gateway = filequery('serve');
    [, url = ''] = await gateway.wrote(/filequery is at (http:\S+)/);
    [, apiKey = ''] = await gateway.wrote(/^ {2}(fq_\S+)$/m);
  });
  afterAll(() => gateway.child.kill('SIGKILL'));

  it('tells its version', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    expect(await filequery('--version').ended).toMatchObject({
      ...{ code: 0, stdout: `${version}\n`, stderr: '' },
    });
  });

  it('serves with the settings of .env: a file is uploaded and a question is answered', async () => {
    const client = createClient({ fetch: fetchFrom(url) }, apiKey);
    const dolphins = [{ texts: [{ glyphs: '海豚在港口游泳。', x: 50, y: 700 }] }];
    const uploaded = await client.upload('docs', {
      'annual-report.pdf': await openAsBlob('src/demo/documents/annual-report.pdf'),
      'warranty-handbook.docx': await openAsBlob('src/demo/documents/warranty-handbook.docx'),
      'dolphins.pdf': new Blob([madePdf(dolphins, CHINESE_FONTS)]),
    });
    expect(uploaded).toMatchObject({ status: 200, body: { success: true } });
    for (const [question, answer] of [
      ['How much revenue was there?', /218/],
      ['How long is the warranty of the heating element?', /5 years/],
      ['海豚在哪里游泳？', /港口/],
    ] as const) {
      const asked = { datasetId: 'docs', question, stream: false };
      const { body } = await client.rest('POST', '/query', asked);
      expect(body.data.result).toMatch(answer);
    }
    expect(await readdir(join(consumer, 'data'))).toContain('postgres');
  });

  it.each(['/', '/graphql', '/filequery-chat.js', '/docs'])(
    'sends %s to a browser',
    async (path) => {
      const response = await fetch(new URL(path, url), { headers: { accept: 'text/html, */*' } });
      expect(response.status).toBe(200);
      expect((await response.text()).length).toBeGreaterThan(500);
    },
  );

  it('gives its page the key of the customer that it has made', async () => {
    const own = { method: 'POST', headers: { origin: url } };
    expect(await (await fetch(`${url}/demo-key`, own)).text()).toBe(apiKey);
    expect((await fetch(`${url}/demo-key`, { method: 'POST' })).status).toBe(204);
  });

  it('works beside the gateway', async () => {
    const { code, stdout, stderr } = await filequery('customer', 'list', '--json').ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject([{ customerId: 'demo', datasets: 1 }]);
    gateway.child.kill('SIGTERM');
    expect(await gateway.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('answers a .env that cannot be read with one line', async () => {
    const folder = await mkdtemp(join(consumer, 'unreadable-'));
    await mkdir(join(folder, '.env'));
    const program = join(consumer, 'node_modules/.bin/filequery');
    expect(await runIn(folder, program, ['customer', 'list'], { PATH }).ended).toMatchObject({
      ...{ code: 1, stdout: '', stderr: '.env: must be a readable file\n' },
    });
  });
});

it('a program in TypeScript imports the package', async () => {
  const program = `
    import { type App, createApp, createLog, createVectorStores, readConfig } from 'filequery';
    import type { ChatError, FilequeryChatElement } from 'filequery/chat';
    // Nothing on a server, which has no elements.
    import 'filequery/chat';
    import { createClient } from 'filequery/client';
    import { FilequeryRetriever } from 'filequery/langchain';

    export const connect = (chat: FilequeryChatElement) => {
      chat.credential = async () => 'token';
      chat.filters = [{ key: 'year', match: { value: 2026 } }];
      chat.filters = { should: [{ key: 'year', range: { gte: 2026 } }] };
      const note = (...texts: (string | undefined)[]) => texts;
      const onError = ({ detail }: CustomEvent<ChatError>) => note(detail.code, detail.message);
      chat.addEventListener('error', onError);
      chat.removeEventListener('error', onError);
      chat.addEventListener('answer', ({ detail }) => note(detail.text, detail.citations[0]?.passage));
      chat.addEventListener('click', ({ clientX }) => note(String(clientX)));
    };
    const config = readConfig({ DATA_DIR: 'data', PUBLIC_URL: 'http://filequery.test' });
    const app: App = await createApp(config, createLog('silent'));
    const { status } = await app.fetch(new Request('http://filequery.test/health'));
    const { apiKey } = await app.admin.createCustomer({ name: 'client', credits: null });
    const client = createClient({
      url: 'http://filequery.test',
      credential: apiKey,
      fetch: async (...args) => app.fetch(new Request(...args)),
    });
    await client.upload([new File(['The fox is quick.'], 'fox.txt')], { datasetId: 'docs' });
    const retriever = new FilequeryRetriever({ client, datasetId: 'docs' });
    const [fox] = await retriever.invoke('Is the fox quick?');

    // Beside the gateway, with the settings of .env.
    const stores = createVectorStores(readConfig(), createLog('silent'));
    const store = await stores.open({ customer: 'demo', dataset: 'docs' });
    const [document] = await store.similaritySearch('How much revenue was there?', 1);
    // @ts-expect-error Its types are there: a question is a text.
    export const wrong = () => store.similaritySearch(1);
    await stores.close();
    await app.close();
    console.log(status, fox?.pageContent, document?.pageContent);
  `;
  await writeFile(join(consumer, 'program.mts'), program);
  const tsc = join(process.cwd(), 'node_modules/.bin/tsc');
  const options = '--strict --skipLibCheck false --noEmit --target esnext --types node';
  const types = [...options.split(' '), '--typeRoots', join(process.cwd(), 'node_modules/@types')];
  for (const module of ['--module nodenext', '--module esnext --moduleResolution bundler']) {
    const args = [...types, ...module.split(' '), 'program.mts'];
    const checked = await runIn(consumer, tsc, args, { PATH }).ended;
    expect(checked).toMatchObject({ code: 0, stdout: '' });
  }
  const { code, stdout, stderr } = await runIn(consumer, process.execPath, ['program.mts']).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^200 The fox is quick\. .*218 million/s);
});

async function readPackage() {
  return JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
}
