import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { type Listening, listen } from '../../src/http/listen.ts';
import { MOST_DROPPED } from '../../src/playground/files/dropped-files.ts';
import { type App, createApp } from '../../src/runtime/create-app.ts';
import { createLog } from '../../src/runtime/log.ts';
import { seriousFaults } from '../support/axe.ts';
import { HAS_BROWSER, inBrowser, keepScreenshot, openBrowser } from '../support/browser.ts';
import { type Client, createClient } from '../support/client.ts';
import { extractor } from '../support/extractor.ts';
import { createFaults } from '../support/faults.ts';
import { newDataFolder } from '../support/process.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

/* The page at / of a gateway on the embedded default, in Chromium. */

const WIDE = { viewport: { width: 1280, height: 800 } };
const PHONE = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
  colorScheme: 'dark',
} as const;
const WARRANTY = 'The battery is covered for two years. The frame is covered for five years.';
/** The mark of a model for the first document of its prompt. */
const FIRST = { documents: [1] };

const faults = createFaults();
/** What the consoles of pages complain of. */
const complaints: string[] = [];

let folder: Awaited<ReturnType<typeof newDataFolder>>;
let app: App;
let server: Listening;
let proxy: TcpProxy;
let url: string;
let demo: Client;
let browser: Browser | undefined;

beforeAll(async () => {
  folder = await newDataFolder();
  // The gateway has to know its address before it starts.
  server = await listen((...request) => app.fetch(...request), { host: '127.0.0.1', port: 0 });
  proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
  url = `http://127.0.0.1:${proxy.port}`;
  const config = readConfig({ DATA_DIR: folder.dataDir, PUBLIC_URL: url });
  const opening = HAS_BROWSER ? openBrowser() : undefined;
  app = await createApp(config, createLog('silent'), (deps) =>
    faults.override({ ...deps, extractor }),
  );
  if (opening) browser = await opening;
  const { apiKey } = await app.admin.createCustomer({
    id: 'demo',
    name: 'demo',
    credits: '10',
    ...(app.demoKey && { apiKey: app.demoKey }),
  });
  demo = createClient(app, apiKey);
});
afterEach(async () => {
  faults.mend();
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
});
afterAll(async () => {
  await browser?.close();
  await proxy.close();
  await server.stop();
  await app.close();
  await folder.remove();
});

describe.runIf(HAS_BROWSER)(inBrowser('the playground'), () => {
  it('needs no key: uploads, asks, opens what is cited, filters, gives code, deletes', async () => {
    const asked: string[] = [];
    const page = await open(WIDE, (sent) => asked.push(sent));
    await page.getByText('No files yet.').waitFor();
    await expect.poll(() => creditsOf(page)).toBe('10 credits');

    const reading = Promise.withResolvers<void>();
    faults.before('embeddings.embedTexts', () => reading.promise);
    await page.getByText('Add metadata').click();
    await page.getByLabel('Metadata of the next files').fill('kind=guide, year=2026');
    await choose(page, { 'warranty.txt': WARRANTY, '<b>bold.txt': 'Nothing of use.' });
    await page.getByText('Reading and indexing').first().waitFor();
    expect(await page.getByRole('progressbar').count()).toBe(2);
    await keepScreenshot(page, 'playground-upload');
    reading.resolve();
    await page.getByRole('button', { name: /^warranty\.txt.*kind: guide/ }).waitFor();
    await page.getByRole('button', { name: /^<b>bold\.txt/ }).waitFor();
    await expect.poll(() => creditsOf(page)).toBe('8 credits');

    await choose(page, { 'warranty.txt': WARRANTY, 'copy.txt': WARRANTY });
    const uploads = page.getByRole('list', { name: 'Uploads' });
    await uploads.getByText('Already there', { exact: true }).waitFor();
    await uploads.getByText('Already there as warranty.txt').waitFor();
    await keepScreenshot(page, 'playground-skipped');
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Dismiss copy.txt' }).click();
    await page.getByText('2 files', { exact: true }).waitFor();
    expect(await creditsOf(page)).toBe('8 credits');

    const answering = Promise.withResolvers<void>();
    faults.answerWith(async function* () {
      yield* ['The battery is covered for two years.', FIRST, ' '];
      await answering.promise;
      yield* ['It is made of cheese.', FIRST];
    });
    await page.getByText('All files').click();
    await page.getByRole('checkbox', { name: /^guide/ }).press('Space');
    await ask(page, 'How long is the battery covered?');
    const answer = page.locator('.answer');
    await answer.getByText('The battery is covered').waitFor();
    expect(await answer.getAttribute('aria-busy')).toBe('true');
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    answering.resolve();
    await page.locator('.answer[aria-busy=false]').waitFor();
    const marks = await answer
      .getByRole('button')
      .evaluateAll((all) => all.map((one) => one.ariaLabel));
    expect(marks).toEqual([
      'Source 1: warranty.txt',
      'Source 1: warranty.txt, which may not say this',
    ]);
    await expect.poll(() => creditsOf(page)).toBe('7.9 credits');
    await keepScreenshot(page, 'playground-answer');
    expect(await seriousFaults(page)).toEqual([]);

    await page.getByRole('button', { name: 'Source 1' }).first().click();
    const passage = page.getByRole('dialog', { name: 'warranty.txt' });
    expect(await passage.getByRole('blockquote').textContent()).toBe(WARRANTY);
    const link = await passage.getByRole('link', { name: 'Open the file' }).getAttribute('href');
    expect(await (await page.request.get(link ?? '')).text()).toBe(WARRANTY);
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('Source 1: warranty.txt');

    await page.getByText('Code', { exact: true }).click();
    const curl = await page.getByLabel('Asked, curl').textContent();
    expect(curl).not.toContain(demo.credential);
    expect(await shell(curl)).toContain('AnswerCompleted');
    await page.getByText('JavaScript').click();
    const call = await page.getByLabel('Asked, JavaScript').textContent();
    expect(call).toContain('filters: [{ key: "kind", match: { value: "guide" } }]');

    await page.getByRole('button', { name: /^warranty\.txt/ }).click();
    const file = page.getByRole('dialog', { name: 'warranty.txt' });
    await file.getByRole('heading', { name: '1 chunk' }).waitFor();
    expect(await file.getByLabel('Chunks').textContent()).toContain(WARRANTY);
    await file.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 file', { exact: true }).waitFor();
    await expect.poll(() => focused(page)).toBe('Files');

    expect(new Set(asked)).toEqual(new Set(['GET /', 'POST /demo-key', 'POST /graphql']));
    const kept = await page.evaluate(() =>
      JSON.stringify([localStorage, location.href, document.cookie]),
    );
    expect(kept).not.toContain('fq_');
    expect(complaints).toEqual([]);
  });

  it('gives code that uploads a file with the same metadata, whatever signs it has', async () => {
    await app.admin.grantCredits('demo', '3');
    const page = await open(WIDE);
    const made = await makeFolder('commands', ['semicolon;,.txt']);
    await page.getByText('Add metadata').click();
    await page.getByLabel('Metadata of the next files').fill(`note=it's a; "b"`);
    await choose(page, { 'semicolon;,.txt': 'Nothing of use here.' });
    await page.getByRole('button', { name: /^semicolon/ }).waitFor();
    await page.getByText('Code', { exact: true }).click();
    const curl = await page.getByLabel('Uploaded a file, curl').textContent();
    expect(await shell(`cd ${made}; ${curl}`)).not.toContain('errors');
    await writeFile(join(made, 'semicolon;,.txt'), 'Nothing of use there.');
    await page.getByText('JavaScript').click();
    const call = await page.getByLabel('Uploaded a file, JavaScript').textContent();
    const client = new URL('../../src/client/index.ts', import.meta.url).href;
    await writeFile(join(made, 'upload.mjs'), call?.replace('filequery/client', client) ?? '');
    await shell(`cd ${made}; "${process.execPath}" upload.mjs`);
    const { body } = await demo.rest('GET', '/files?datasetId=docs');
    const sent = { originalName: 'semicolon;,.txt', extraMeta: { note: `it's a; "b"` } };
    expect(body.files.slice(0, 3)).toMatchObject([sent, sent, sent]);
    await demo.rest('DELETE', '/files');
  });

  it('on a phone, in the dark, by the keyboard; with what a token allows, until it ends', async () => {
    await demo.upload('phone', { 'warranty.txt': WARRANTY });
    const page = await open(PHONE);
    await page.getByRole('button', { name: 'Forget key' }).click();
    await page.getByRole('button', { name: 'Try it as the demo customer' }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await signIn(page, 'fq_wrong');
    await page.getByRole('alert').getByText('Invalid API key or token').waitFor();
    const mayRead = { datasetId: 'phone', permissions: ['READ', 'ASK'], maxCredits: '0.1' };
    await signIn(page, await newToken(mayRead));
    await page.getByRole('button', { name: 'Files 1' }).press('Enter');
    await page.getByRole('button', { name: /^warranty\.txt/ }).waitFor();
    expect(await page.getByRole('button', { name: /Delete/ }).count()).toBe(0);
    expect(await page.getByLabel('Choose files').count()).toBe(0);
    await keepScreenshot(page, 'playground-phone-files');

    await page.getByRole('button', { name: 'Ask', exact: true }).first().press('Enter');
    const field = page.getByLabel('Question', { exact: true });
    await field.fill('電池');
    // As Safari sends the Enter that ends the composition of a word.
    await field.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
    expect(await page.getByText('電池').count()).toBe(0);
    expect(await field.inputValue()).toBe('電池');
    await ask(page, 'How long is the battery covered?');
    await page.locator('.answer[aria-busy=false]').waitFor();
    await expect.poll(() => creditsOf(page)).toBe('0 of 0.1 credits');
    await ask(page, 'And the frame?');
    await alert(page, 'Not enough credits: this costs 0.1, and 0 are left.');
    await keepScreenshot(page, 'playground-phone');
    expect(await seriousFaults(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

    const token = await newToken({ datasetId: 'phone', permissions: ['ASK'] });
    await page.getByRole('button', { name: 'Forget key' }).click();
    await signIn(page, token);
    await page.getByRole('button', { name: 'Files', exact: true }).click();
    await page.getByText('This token may not list files.').waitFor();
    await page.getByRole('button', { name: 'Ask', exact: true }).first().click();
    await page.getByText('What would you like to know?').waitFor();
    await demo.rest('DELETE', `/tokens/${JSON.parse(atob(token.split('.')[1] ?? '')).jti}`);
    // A gateway trusts a token for a while.
    await page.route('**/graphql', (route) =>
      route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer gone' } }),
    );
    await ask(page, 'Still there?');
    await alert(page, 'Invalid API key or token');
    await page.getByRole('button', { name: 'Use another key' }).click();
    await page.getByLabel('API key or token').waitFor();
  });

  it('goes on with an answer that is cut off, stops one, and says why files are refused', async () => {
    await demo.upload('cut', { 'warranty.txt': WARRANTY });
    const page = await open(WIDE);
    await page.getByLabel('Dataset').selectOption('cut');
    await page.getByRole('button', { name: /^warranty\.txt/ }).waitFor();
    const before = Number.parseFloat(await creditsOf(page));
    const answering = Promise.withResolvers<void>();
    faults.answerWith(async function* () {
      yield 'The battery is covered for two years.';
      await answering.promise;
      yield ' The frame is covered for five years.';
    });
    await ask(page, 'How long is the battery covered?');
    await page.locator('.answer').getByText('The battery is covered').waitFor();
    await proxy.away();
    await page.getByRole('alert').getByText('The gateway cannot be reached').first().waitFor();
    await keepScreenshot(page, 'playground-away');
    await proxy.back();
    answering.resolve();
    await page.locator('.answer').getByText('The frame is covered').waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await expect
      .poll(async () => Number.parseFloat(await creditsOf(page)))
      .toBeCloseTo(before - 0.1);

    faults.answerWith(async function* (_, signal) {
      yield 'It goes on and on, without an end.';
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    await ask(page, 'And the frame?');
    await page.getByText('It goes on and on').waitFor();
    await page.getByRole('button', { name: 'Stop' }).press('Enter');
    await page.getByText('Stopped.').waitFor();
    expect(await focused(page)).toBe('Question');

    faults.answerWith(async function* () {
      yield 'The frame is covered for five years.';
    });
    const keys: string[] = [];
    let isAway = true;
    await page.route('**/graphql', (route) => {
      const sent = route.request().postData() ?? '';
      if (!sent.includes('askQuestion')) return route.continue();
      keys.push(JSON.parse(sent).variables.input.idempotencyKey);
      return isAway ? route.fulfill({ status: 502 }) : route.continue();
    });
    await ask(page, 'How long is the frame covered?');
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    isAway = false;
    await again.press('Enter');
    await page.locator('.answer').last().getByText('The frame is covered').waitFor();
    expect(await focused(page)).toBe('Question');
    expect(keys.length).toBeGreaterThan(1);
    // What a proxy could not pass on may have been paid.
    expect(new Set(keys).size).toBe(1);
    await page.unrouteAll({ behavior: 'wait' });

    await page.getByLabel('Choose files').setInputFiles([
      {
        name: 'broken.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from('%PDF-1.7 and no more'),
      },
      { name: 'some.bin', mimeType: '', buffer: Buffer.from([0, 1, 2, 255]) },
    ]);
    await alert(page, 'it is broken or incomplete');
    await alert(page, 'it is neither text nor a known document');
    await keepScreenshot(page, 'playground-refused');
    await page.getByRole('button', { name: 'Dismiss broken.pdf' }).press('Enter');
    await expect.poll(() => page.getByRole('alert').count()).toBe(1);
    expect(await focused(page)).toBe('Dismiss some.bin');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Files');
    await page.getByRole('button', { name: 'New conversation' }).press('Enter');
    expect(await focused(page)).toBe('Question');
    complaints.splice(0);
  });

  it('scrolls to the filters that the keyboard reaches, and shows fields with any name', async () => {
    const fields = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`field${at}`, 'yes']));
    const metadata = { 'warranty.txt': { ...fields, constructor: 'Ferrari' } };
    await demo.upload(
      'fields',
      { 'warranty.txt': WARRANTY },
      { metadata: JSON.stringify(metadata) },
    );
    const page = await open(PHONE);
    await page.getByLabel('Dataset').selectOption('fields');
    await page.locator('.filters summary').press('Enter');
    const chip = page.locator('.chip', { hasText: 'Ferrari' });
    await chip.waitFor();
    for (const _ of await page.locator('.chip').all()) await page.keyboard.press('Tab');
    await chip.and(page.locator(':focus-within')).waitFor();
    const panel = await page.locator('.filter-fields').boundingBox();
    const reached = await chip.boundingBox();
    if (!panel || !reached) throw new Error('A part of the page is not shown');
    expect(reached.y).toBeGreaterThan(panel.y);
    expect(reached.y + reached.height).toBeLessThan(panel.y + panel.height);
    await page.keyboard.press('Space');
    await page.getByText('1 filter').waitFor();
    expect(complaints).toEqual([]);
  });

  it('is no wider than a phone with a long line of code, which scrolls by itself', async () => {
    await demo.upload('wide', { 'warranty.txt': WARRANTY });
    const page = await open(PHONE);
    await page.getByLabel('Dataset').selectOption('wide');
    faults.answerWith(async function* () {
      yield `Run this:\n\n\`\`\`sh\n${'filequery '.repeat(30)}\n\`\`\``;
    });
    await ask(page, 'How does it start?');
    await page.locator('.answer[aria-busy=false]').waitFor();
    const hidden = (selector: string) =>
      page.locator(selector).evaluate((one) => one.scrollWidth - one.clientWidth);
    expect(await hidden('.turns')).toBe(0);
    expect(await hidden('.answer pre')).toBeGreaterThan(0);
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('sets questions and answers in the direction of their language', async () => {
    await app.admin.grantCredits('demo', '2');
    await demo.upload('hebrew', { 'warranty.txt': WARRANTY });
    const page = await open(WIDE);
    await page.getByLabel('Dataset').selectOption('hebrew');
    faults.answerWith(async function* () {
      yield 'האחריות היא שנתיים.\n\n- שנה אחת.\n';
    });
    await ask(page, 'מהי האחריות?');
    await page.locator('.answer[aria-busy=false]').waitFor();
    for (const text of ['מהי האחריות?', 'האחריות היא שנתיים.', 'שנה אחת.']) {
      const [first, last] = await page.getByText(text, { exact: true }).evaluate((element) =>
        [0, -1].map((at) => {
          const range = new Range();
          const letters = element.firstChild as Text;
          const start = at < 0 ? letters.length + at : at;
          range.setStart(letters, start);
          range.setEnd(letters, start + 1);
          return range.getBoundingClientRect().left;
        }),
      );
      expect(last).toBeLessThan(Number(first));
    }
  });

  it('goes on after an answer that is longer than a turn of a conversation may be', async () => {
    await demo.upload('turns', { 'warranty.txt': WARRANTY });
    const page = await open(WIDE);
    await page.getByLabel('Dataset').selectOption('turns');
    await page.getByRole('button', { name: /^warranty\.txt/ }).waitFor();
    faults.answerWith(async function* () {
      yield 'The frame is covered. '.repeat(LIMITS.turnCharacters / 20);
    });
    await ask(page, 'Is the frame covered?');
    await page.locator('.answer[aria-busy=false]').waitFor();
    faults.mend();
    await ask(page, 'How long is it covered?');
    await page.locator('.answer').last().getByText('for five years').waitFor();
  });

  it('shows what comes, and not what goes, while the list is read', async () => {
    await demo.rest('DELETE', '/files');
    const page = await open(WIDE);
    await page.getByText('Choose files').waitFor();
    await choose(page, { 'old.txt': WARRANTY });
    await page.getByRole('button', { name: /^old\.txt/ }).waitFor();
    const read = Promise.withResolvers<string>();
    const shown = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      const sent = route.request().postData() ?? '';
      if (!sent.includes('query Files(')) return route.continue();
      const response = await route.fetch();
      read.resolve(JSON.parse(sent).variables.datasetId);
      await shown.promise;
      return route.fulfill({ response });
    });
    await page.reload();
    const datasetId = await read.promise;
    const { body } = await demo.rest('GET', `/files?datasetId=${datasetId}`);
    await demo.upload(datasetId, { 'new.txt': WARRANTY });
    await demo.rest('DELETE', `/files/${body.files[0].fileId}?datasetId=${datasetId}`);
    // Until the page has heard of both.
    await pause(500);
    shown.resolve();
    await page.getByRole('button', { name: /^new\.txt/ }).waitFor();
    expect(await page.getByRole('button', { name: /^old\.txt/ }).count()).toBe(0);
    await page.getByText('1 file', { exact: true }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await demo.rest('DELETE', '/files');
  });

  it('keeps its parts apart in a low window, such as one that is zoomed to 200 %', async () => {
    await app.admin.grantCredits('demo', '2');
    await demo.upload('low', { 'warranty.txt': WARRANTY });
    const page = await open({ viewport: { width: 640, height: 400 } });
    await page.getByLabel('Dataset').selectOption('low');
    await page.getByText('All files').click();
    await page.getByText('Code', { exact: true }).click();
    const code = await page.getByRole('group').filter({ hasText: 'the same from' }).boundingBox();
    const log = await page.getByRole('log').boundingBox();
    const composer = await page.locator('.composer').boundingBox();
    if (!code || !log || !composer) throw new Error('A part of the page is not shown');
    expect(log.height).toBeGreaterThan(100);
    expect(composer.y + composer.height).toBeLessThan(code.y);
    await ask(page, 'How long is the battery covered?');
    await page.locator('.answer[aria-busy=false]').waitFor();
    await keepScreenshot(page, 'playground-low');
    await demo.rest('DELETE', '/files');
  });

  it('shows more of a long list, finds by name, and names a new dataset, by the keyboard', async () => {
    await app.admin.grantCredits('demo', '60');
    for (const batch of [0, 1, 2]) {
      const names = Array.from({ length: 18 }, (_, at) => `${batch}-${at}.txt`);
      await demo.upload('long', Object.fromEntries(names.map((name) => [name, WARRANTY])));
    }
    const page = await open(WIDE);
    await page.getByLabel('Dataset').selectOption('long');
    await page.getByRole('button', { name: 'Show more' }).press('Enter');
    const opened = page.locator('.files > li .file');
    await expect.poll(() => opened.count()).toBe(54);
    await expect.poll(() => focused(page)).toBe(await opened.nth(50).textContent());

    await page.getByLabel('Find files by name').fill('nothing');
    await page.getByText('No file has this in its name.').waitFor();
    await page.getByText('What would you like to know?').waitFor();
    expect(await page.getByPlaceholder('Ask about the files').count()).toBe(1);

    await page.getByLabel('Dataset').selectOption('New dataset…');
    await page.getByRole('dialog', { name: 'New dataset' }).waitFor();
    await page.keyboard.type('shorter');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing to ask about yet').waitFor();
    expect(await page.getByLabel('Dataset').inputValue()).toBe('shorter');
    await demo.rest('DELETE', '/files');
  });

  it('takes folders that are dropped, but not too many files at once', async () => {
    const page = await open(WIDE);
    await page.getByText('Choose files').waitFor();
    await drop(page, await makeFolder('guides', ['a.txt', 'sub/b.txt', '.git/c.txt', '.d.txt']));
    await page.getByRole('button', { name: /^a\.txt/ }).waitFor();
    await page.getByRole('button', { name: /^b\.txt/ }).waitFor();
    const many = Array.from({ length: MOST_DROPPED + 1 }, (_, at) => `sub/${at}.txt`);
    await drop(page, await makeFolder('many', many));
    await alert(page, 'More than 200 files: none was taken.');
    await drop(page, await makeFolder('none', ['node_modules/a.txt']));
    await alert(page, 'There are no files in it.');
    await page.getByText('Add metadata').click();
    await page.getByLabel('Metadata of the next files').fill('year');
    await choose(page, { 'e.txt': WARRANTY });
    await alert(page, 'is not of the form key=value');
    expect(await page.getByRole('list', { name: 'Uploads' }).count()).toBe(0);
    await demo.rest('DELETE', '/files');
  });

  it('<filequery-chat> asks from a page of another origin, with a token that is fetched again', async () => {
    await demo.upload('chat', { 'warranty.txt': WARRANTY });
    const token = await newToken({ datasetId: 'chat', permissions: ['ASK'] });
    const other = await listen(
      () => new Response(PAGE(url), { headers: { 'content-type': 'text/html' } }),
      {
        host: '127.0.0.1',
        port: 0,
      },
    );
    const page = await open({ ...WIDE, colorScheme: 'dark' }, undefined, other.url);
    const gotten = ['<h1>Not\nfound</h1>', 'gone'];
    await page.exposeFunction('getToken', (times: number) => gotten[times - 1] ?? token);
    await page.evaluate(() => (globalThis as unknown as { begin(): void }).begin());
    faults.answerWith(async function* () {
      yield '## Cover\n\n- The battery is covered for **two years.**';
      yield* [
        FIRST,
        '\n- See `a*b` and [here](https://example.org) <img src=x onerror=alert(1)>\n',
      ];
      yield* ['\n```sh\n- **as it is**\n```\nThat is all.', ''];
    });
    await ask(page, 'How long is the battery covered?');
    await page.getByText('The credential is neither').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    const events = () =>
      page.evaluate(() => (globalThis as unknown as { events: unknown[] }).events);
    await expect.poll(events).toEqual([
      expect.objectContaining({ type: 'error', code: 'INVALID_CREDENTIAL' }),
      {
        type: 'answer',
        question: 'How long is the battery covered?',
        text: expect.stringContaining('two years'),
        citations: [
          expect.objectContaining({
            originalName: 'warranty.txt',
            supported: true,
            passage: WARRANTY,
          }),
        ],
      },
    ]);
    const answer = page.locator('.answer');
    expect(await answer.locator('h4').textContent()).toBe('Cover');
    expect(await answer.getByRole('list').getByRole('listitem').allTextContents()).toEqual([
      '•The battery is covered for two years.1',
      '•See a*b and [here](https://example.org) <img src=x onerror=alert(1)>',
    ]);
    expect(await answer.locator('strong').last().textContent()).toBe('years.');
    expect(await answer.locator('pre').textContent()).toBe('- **as it is**');
    expect(await answer.locator('a, img').count()).toBe(0);
    const paper = page
      .locator('filequery-chat')
      .evaluate((chat) => getComputedStyle(chat).backgroundColor);
    // Of the dark, as the page is.
    expect(await paper).toBe('rgb(23, 25, 31)');
    await keepScreenshot(page, 'filequery-chat');
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Source 1' }).first().click();
    const passage = page.getByRole('dialog', { name: 'warranty.txt' });
    await passage.getByText(WARRANTY).waitFor();
    await page.evaluate(() => {
      const inside = document.querySelector('filequery-chat')?.shadowRoot;
      inside?.querySelector('dialog')?.close();
      inside?.querySelector('textarea')?.focus();
    });
    await passage.waitFor({ state: 'detached' });
    const field = page.getByLabel('Question', { exact: true });
    expect(await field.evaluate((it) => it.matches(':focus'))).toBe(true);
    await page.evaluate(() =>
      document.querySelector('filequery-chat')?.setAttribute('endpoint', 'http://127.0.0.1:1'),
    );
    await ask(page, 'And the frame?');
    await expect
      .poll(async () => (await events()).at(-1))
      .toMatchObject({ type: 'error', code: 'NETWORK' });
    await other.stop();
    complaints.splice(0);
  });

  it('<filequery-chat> takes what is typed into it, also keys that are shortcuts of the page', async () => {
    const shortcuts = `<script>
      const keys = [];
      document.addEventListener('keydown', (event) => {
        if (event.target.matches('input, textarea')) return;
        keys.push(event.key);
        if (event.key === '/') event.preventDefault();
      });
    </script>`;
    const html = `${PAGE(url)}${shortcuts}`;
    const other = await listen(
      () => new Response(html, { headers: { 'content-type': 'text/html' } }),
      { host: '127.0.0.1', port: 0 },
    );
    const page = await open(WIDE, undefined, other.url);
    const field = page.getByLabel('Question');
    await field.pressSequentially('and/or');
    expect(await field.inputValue()).toBe('and/or');
    await field.press('Control+k');
    await field.press('Escape');
    expect(await page.evaluate('keys')).toEqual(['Control', 'k', 'Escape']);
    await other.stop();
    complaints.splice(0);
  });

  it('<filequery-chat> has the size that it is given, whatever texts the page has', async () => {
    const styles = `
      html { font-size: 62.5% }
      main { font: italic bold 3rem serif; letter-spacing: 1em; text-indent: 2em;
        text-shadow: 1px 1px red; text-transform: uppercase; white-space: nowrap; word-spacing: 1em }`;
    const html = `${PAGE(url)}<style>${styles}</style>`;
    const other = await listen(
      () => new Response(html, { headers: { 'content-type': 'text/html' } }),
      { host: '127.0.0.1', port: 0 },
    );
    const page = await open(WIDE, undefined, other.url);
    const heading = page.locator('filequery-chat [part=heading]');
    const style = () =>
      heading.evaluate((element) => {
        const { fontSize, fontStyle, letterSpacing, textIndent, ...rest } =
          getComputedStyle(element);
        const { textShadow, textTransform, whiteSpace, wordSpacing } = rest;
        return [fontSize, fontStyle, letterSpacing, textIndent].concat(
          ...[textShadow, textTransform, whiteSpace, wordSpacing],
        );
      });
    const normal = ['normal', 'normal', '0px', 'none', 'none', 'normal', '0px'];
    expect(await style()).toEqual(['16px', ...normal]);
    await page.addStyleTag({ content: 'filequery-chat { font-size: 20px; font-style: italic }' });
    expect(await style()).toEqual(['20px', 'italic', ...normal.slice(1)]);
    const field = page.getByLabel('Question');
    expect(await field.evaluate((element) => getComputedStyle(element).fontSize)).toBe('20px');
    await keepScreenshot(page, 'filequery-chat-in-styled-page');
    await page.setViewportSize({ width: 320, height: 640 });
    await page.evaluate(() =>
      document.querySelector('filequery-chat')?.setAttribute('heading', 'Produktinformationen'),
    );
    await ask(page, 'How long is the battery covered?');
    const box = await page.getByRole('button', { name: 'New conversation' }).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(320);
    await other.stop();
    complaints.splice(0);
  });
});

/** A page that puts the chat in. */
const PAGE = (gateway: string) => `<!doctype html>
<html lang="en"><title>A shop</title><meta name="color-scheme" content="light dark">
<main><h1>A shop</h1><filequery-chat heading="Help" endpoint="${gateway}"></filequery-chat></main>
<script type="module" src="${gateway}/filequery-chat.js"></script>
<script>
  var events = [];
  function begin() {
    let times = 0;
    const chat = document.querySelector('filequery-chat');
    chat.credential = () => getToken(++times);
    for (const type of ['answer', 'error']) {
      chat.addEventListener(type, ({ detail }) => events.push({ type, ...detail }));
    }
  }
</script></html>`;

it.each([
  ['/', 'text/html'],
  ['/filequery-chat.js', 'text/javascript'],
])('%s is small, and sent as it is accepted', async (path, type) => {
  for (const encoding of ['br', 'gzip']) {
    const response = await app.fetch(
      new Request(`http://filequery.test${path}`, { headers: { 'accept-encoding': encoding } }),
    );
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain(type);
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect((await response.arrayBuffer()).byteLength).toBeLessThan(150_000);
  }
});

async function open(
  options: BrowserContextOptions,
  onRequest: (sent: string) => void = () => {},
  address = url,
): Promise<Page> {
  if (!browser) throw new Error('there is no browser');
  const context = await browser.newContext(options);
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    onRequest(`${request.method()} ${origin === url ? pathname : request.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(address);
  return page;
}

function choose(page: Page, files: Record<string, string>): Promise<void> {
  return page.getByLabel('Choose files').setInputFiles(
    Object.entries(files).map(([name, text]) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    })),
  );
}

async function makeFolder(name: string, paths: string[]): Promise<string> {
  const made = join(folder.dataDir, 'dropped', name);
  for (const path of paths) {
    await mkdir(dirname(join(made, path)), { recursive: true });
    await writeFile(join(made, path), `${WARRANTY} See also ${path}.`);
  }
  return made;
}

/** Drops a folder on the page, as a browser does when the system gives it one. */
async function drop(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    await session.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
  }
  await session.detach();
}

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key or token').fill(key);
  await page.keyboard.press('Enter');
}

async function newToken(wanted: Record<string, unknown>): Promise<string> {
  const { body } = await demo.rest('POST', '/tokens/create', wanted);
  return body.token;
}

async function alert(page: Page, text: string): Promise<void> {
  await page.getByRole('alert').getByText(text).waitFor();
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Question', { exact: true }).fill(question);
  await page.keyboard.press('Enter');
}

async function creditsOf(page: Page): Promise<string> {
  return (await page.locator('.credits').textContent()) ?? '';
}

function focused(page: Page): Promise<string | null | undefined> {
  return page.evaluate(
    () => document.activeElement?.ariaLabel ?? document.activeElement?.textContent,
  );
}

/** Runs a line for a shell, with the key. @returns what it writes */
async function shell(line: string | null): Promise<string> {
  const env = { PATH: process.env['PATH'], KEY: demo.credential };
  const { stdout } = await promisify(execFile)('sh', ['-c', line ?? ''], { env });
  return stdout;
}
