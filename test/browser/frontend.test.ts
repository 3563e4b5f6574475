import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { type Listening, listen } from '../../src/http/listen.ts';
import { HAS_BROWSER, inBrowser, keepScreenshot, openBrowser } from '../support/browser.ts';
import { type Client, newCustomer } from '../support/client.ts';
import { EFFORT } from '../support/effort.ts';
import { createFaults } from '../support/faults.ts';
import { type Frontend, serveFrontend } from '../support/frontend.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

/* The pages of ./app in Chromium, on another origin than the gateway: one with both of its data layers, and a chat. */

const WIDE = { viewport: { width: 1200, height: 720 } };
const PHONE = { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true };
const WARRANTY = 'The battery is covered for two years. The frame is covered for five years.';
/** The mark of a model for the first document of its prompt. */
const FIRST = { documents: [1] };
const SECOND = 1_000;

const faults = createFaults();
/** What the tokens of a user are made with. */
const users = new Map<string, Record<string, unknown>>();

let gateway: TestGateway;
let server: Listening;
let proxy: TcpProxy;
let frontend: Frontend;
let browser: Browser;
let customer: Client;
let folder: string;

beforeAll(async () => {
  if (!HAS_BROWSER) return;
  // The gateway has to know its address and that of the page before it starts.
  server = await listen((request) => gateway.fetch(request), { host: '127.0.0.1', port: 0 });
  proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
  const url = `http://127.0.0.1:${proxy.port}`;
  const openSession = async (user: string) => {
    const { body } = await customer.rest('POST', '/tokens/create', users.get(user));
    return { url: `${url}/graphql`, token: body.token };
  };
  [frontend, browser] = await Promise.all([serveFrontend(openSession), openBrowser()]);
  // On a database of its own: a gateway beside it would take its ingestions, and has none of its faults.
  gateway = await startGateway({ PUBLIC_URL: url, CORS_ORIGINS: frontend.url }, faults.override);
  customer = await newCustomer(gateway);
  folder = await mkdtemp(join(tmpdir(), 'filequery-browser-'));
});
afterEach(async () => {
  faults.mend();
  vi.useRealTimers();
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  if (!HAS_BROWSER) return;
  await browser.close();
  await frontend.close();
  await proxy.close();
  await server.stop();
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

/** What the data layer has no part in is shown with one of them. */
function isRepeated(layer: string): boolean {
  return layer === 'urql' && EFFORT === 1;
}

describe.runIf(HAS_BROWSER).each(['apollo', 'urql'])(inBrowser('the page with %s'), (layer) => {
  it('uploads, asks, opens what an answer cites, and deletes; a second tab follows', async () => {
    users.set('editor', { datasetId: `${layer}-all`, maxCredits: '3' });
    const tab = await open('editor');
    const phone = await open('editor', PHONE);
    await tab.getByText('No files yet.').waitFor();
    await phone.getByText('No files yet.').waitFor();
    expect(await budgetOf(tab)).toContain('3 of 3 credits left');

    const reading = hold();
    faults.before('embeddings.embedTexts', () => reading.promise);
    await choose(tab, await newFile('warranty.txt', WARRANTY));
    await tab.getByText('Reading').waitFor();
    expect(await tab.getByRole('progressbar').getAttribute('value')).toMatch(/^0/);
    await keepScreenshot(tab, `${layer}-upload`);
    reading.resolve();
    await tab.getByText('warranty.txt').waitFor();
    await phone.getByText('warranty.txt').waitFor();
    await expect.poll(() => budgetOf(tab)).toContain('2 of 3 credits left');
    await tab.getByRole('progressbar').waitFor({ state: 'detached' });

    const answering = hold();
    faults.answerWith(async function* () {
      yield* ['The battery is covered for two years.', FIRST, ' '];
      await answering.promise;
      yield* ['It is made of cheese.', FIRST];
    });
    await ask(tab, 'How long is the battery covered?');
    const answer = tab.locator('.answer');
    await answer.getByText('The battery is covered for two years').waitFor();
    expect(await answer.getAttribute('aria-busy')).toBe('true');
    answering.resolve();
    await answer.getByText('It is made of cheese').waitFor();
    await tab.locator('.answer[aria-busy=false]').waitFor();
    await expect.poll(() => budgetOf(tab)).toContain('1.9 of 3 credits left');
    expect(await marksOf(tab)).toEqual([
      'Source 1: warranty.txt',
      'Source 2: warranty.txt, which may not say this',
    ]);
    await keepScreenshot(tab, `${layer}-answer`);

    await tab.getByRole('button', { name: 'Source 1' }).click();
    const passage = tab.getByRole('dialog', { name: 'warranty.txt' });
    expect(await passage.getByRole('blockquote').textContent()).toBe(WARRANTY);
    const link = await passage.getByRole('link', { name: 'Open the file' }).getAttribute('href');
    expect(await (await tab.request.get(link ?? '')).text()).toBe(WARRANTY);
    await keepScreenshot(tab, `${layer}-passage`);
    await passage.getByRole('button', { name: 'Close' }).click();

    const prompts: string[] = [];
    faults.answerWith(async function* ({ message }) {
      prompts.push(message);
      yield* ['The frame is covered for five years.', FIRST];
    });
    await ask(phone, 'How long is the frame covered?');
    await phone.locator('.answer[aria-busy=false]').waitFor();
    await ask(phone, 'And the battery?');
    await phone.locator('.answer[aria-busy=false]').nth(1).waitFor();
    expect(prompts[1]).toContain('How long is the frame covered?');
    await keepScreenshot(phone, `${layer}-phone`);
    await phone.getByRole('button', { name: 'Source 1' }).first().click();
    await phone.getByRole('dialog').waitFor();
    await keepScreenshot(phone, `${layer}-phone-passage`);
    await phone.getByRole('button', { name: 'Close' }).click();

    await phone.getByRole('button', { name: 'Delete warranty.txt' }).click();
    await phone.getByText('No files yet.').waitFor();
    await tab.getByText('No files yet.').waitFor();
  });

  it.skipIf(isRepeated(layer))('a token has rights and a budget', async () => {
    const datasetId = `${layer}-budget`;
    await customer.upload(datasetId, { 'warranty.txt': WARRANTY });
    users.set('reader', { datasetId, permissions: ['READ', 'ASK'], maxCredits: '0.1' });
    const tab = await open('reader');
    await tab.getByText('warranty.txt').waitFor();
    expect(await tab.getByRole('button', { name: /Delete/ }).count()).toBe(0);
    expect(await tab.getByText('Add files').count()).toBe(0);
    await ask(tab, 'How long is the battery covered?');
    await tab.locator('.answer[aria-busy=false]').waitFor();
    await expect.poll(() => budgetOf(tab)).toContain('0 of 0.1 credits left');
    await ask(tab, 'How long is the frame covered?');
    await alert(tab, 'Not enough credits: this costs 0.1, and 0 are left.');
    await keepScreenshot(tab, `${layer}-budget`);

    await pretendTo(tab, 'DELETE');
    await tab.reload();
    await tab.getByRole('button', { name: 'Delete warranty.txt' }).click();
    await alert(tab, 'Permission denied');
    expect(await tab.getByText('warranty.txt').count()).toBe(1);
  });

  it.skipIf(isRepeated(layer))('tells of a session that has ended, and opens another', async () => {
    const datasetId = `${layer}-session`;
    await customer.upload(datasetId, { 'warranty.txt': WARRANTY });
    users.set('guest', { datasetId, ttlSeconds: 60 });
    const tab = await open('guest');
    await tab.getByText('warranty.txt').waitFor();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * SECOND });
    await tab.getByRole('button', { name: 'Delete warranty.txt' }).click();
    await alert(tab, 'Your session has ended.');
    await keepScreenshot(tab, `${layer}-session`);
    await tab.getByRole('button', { name: 'Sign in again' }).first().click();
    await tab.getByText('warranty.txt').waitFor();
    await expect.poll(() => tab.getByRole('alert').count()).toBe(0);
  });

  it('lives through a gateway that is gone for a while, and pays an answer once', async () => {
    const datasetId = `${layer}-outage`;
    await customer.upload(datasetId, { 'warranty.txt': WARRANTY });
    users.set('asker', { datasetId, maxCredits: '1' });
    const tab = await open('asker');
    await tab.getByText('warranty.txt').waitFor();
    const answering = hold();
    faults.answerWith(async function* () {
      yield 'The battery is covered for two years.';
      await answering.promise;
      yield ' The frame is covered for five years.';
    });
    await ask(tab, 'How long is the battery covered?');
    await tab.getByText('The battery is covered for two years').waitFor();
    await proxy.away();
    const [asking, files] = ['Questions', 'Files'].map((name) => tab.getByRole('region', { name }));
    await asking?.getByText('The service cannot be reached.').waitFor();
    await files?.getByText('The service cannot be reached.').waitFor();
    await keepScreenshot(tab, `${layer}-outage`);
    await customer.upload(datasetId, { 'meanwhile.txt': 'Uploaded by somebody else.' });
    answering.resolve();
    await proxy.back();
    await tab.getByText('meanwhile.txt').waitFor();
    expect(await files?.getByRole('alert').count()).toBe(0);
    await tab.getByRole('button', { name: 'Try again' }).click();
    await tab.getByText('The frame is covered for five years.').waitFor();
    await expect.poll(() => budgetOf(tab)).toContain('0.9 of 1 credits left');
    expect(await tab.getByRole('alert').count()).toBe(0);
  });

  it.skipIf(isRepeated(layer))('tells why files are refused', async () => {
    users.set('sender', { datasetId: `${layer}-refused`, maxCredits: '2' });
    const tab = await open('sender');
    const large = await newFile('large.txt', '');
    await truncate(large, LIMITS.fileBytes + 1);
    await choose(tab, large);
    await alert(tab, 'too large');
    await choose(tab, await newFile('broken.pdf', '%PDF-1.7 and nothing else'));
    await alert(tab, 'broken.pdf');
    await keepScreenshot(tab, `${layer}-refused`);
    expect(await budgetOf(tab)).toContain('2 of 2 credits left');
  });

  function open(user: string, options?: BrowserContextOptions): Promise<Page> {
    return openPage(layer, user, options);
  }
});

it.runIf(HAS_BROWSER)(
  inBrowser('the page with useChat shows sources and citations, an error, and what was stopped'),
  async () => {
    await customer.upload('chat', { 'warranty.txt': WARRANTY });
    users.set('chatter', { datasetId: 'chat' });
    const tab = await openPage('chat', 'chatter');
    const answers = tab.getByRole('article');
    const texts = tab.locator('.answer');
    const answering = hold();
    const prompts: string[] = [];
    faults.answerWith(async function* ({ message }) {
      prompts.push(message);
      yield* ['The battery is covered for two years.', FIRST, ' '];
      await answering.promise;
      yield* ['It is made of cheese.', FIRST];
    });
    await ask(tab, 'How long is the battery covered?');
    await texts.getByText('The battery is covered for two years').waitFor();
    expect(await tab.getByRole('button').allTextContents()).toEqual(['Stop']);
    answering.resolve();
    await tab.getByRole('button', { name: 'Ask' }).waitFor();
    const sources = answers.getByRole('list', { name: 'Sources' }).getByRole('listitem');
    expect(await sources.allTextContents()).toEqual([`warranty.txt${WARRANTY}`]);
    const marks = answers.getByRole('link');
    expect(await marks.allTextContents()).toEqual(['1', '1']);
    const classes = await marks.evaluateAll((all) => all.map((mark) => mark.className));
    expect(classes).toEqual(['mark', 'mark doubtful']);
    await marks.first().click();
    expect(await tab.locator(':target').textContent()).toContain(WARRANTY);
    await keepScreenshot(tab, 'chat');

    const { promise: stopped, resolve: onStopped } = Promise.withResolvers<void>();
    faults.answerWith(async function* ({ message }, signal) {
      prompts.push(message);
      signal.addEventListener('abort', () => onStopped());
      yield 'The frame is covered for five years. ';
      await stopped;
    });
    await ask(tab, 'And the frame?');
    await texts.getByText('The frame is covered for five').waitFor();
    await tab.getByRole('button', { name: 'Stop' }).click();
    await stopped;
    await tab.getByRole('button', { name: 'Ask' }).waitFor();
    expect(await texts.nth(1).textContent()).toContain('The frame is covered for five');
    expect(prompts.at(-1)).toContain('How long is the battery covered?');
    expect(await tab.getByRole('alert').count()).toBe(0);

    faults.mend();
    faults.before('index.search', () => {
      throw Object.assign(new Error('broken on purpose'), { code: '57P03' });
    });
    await ask(tab, 'Who covers it?');
    await alert(tab, 'Service unavailable');
    await keepScreenshot(tab, 'chat-error');
    faults.mend();
    await tab.getByRole('button', { name: 'Try again' }).click();
    await answers.nth(2).getByRole('list', { name: 'Sources' }).getByText('warranty.txt').waitFor();
    expect(await tab.getByRole('alert').count()).toBe(0);
  },
);

async function openPage(
  name: string,
  user: string,
  options: BrowserContextOptions = WIDE,
): Promise<Page> {
  const context = await browser.newContext(options);
  // A busy machine takes more than ten seconds for an upload of 100 MB.
  context.setDefaultTimeout(30 * SECOND);
  await context.addCookies([{ name: 'user', value: user, url: frontend.url }]);
  const page = await context.newPage();
  await page.goto(`${frontend.url}/${name}.html`);
  return page;
}

/** A promise that is resolved when the test wants. */
const hold = () => Promise.withResolvers<void>();

async function newFile(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

function choose(page: Page, path: string): Promise<void> {
  return page.getByLabel('Add files').setInputFiles(path);
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Question', { exact: true }).fill(question);
  await page.getByRole('button', { name: 'Ask' }).click();
}

/** The page believes that its token has one more permission. */
async function pretendTo(page: Page, permission: string): Promise<void> {
  await page.route('**/graphql', async (route, request) => {
    if (!request.postData()?.includes('query Session')) return route.continue();
    const response = await route.fetch();
    const body = (await response.text()).replace('"permissions":[', `$&"${permission}",`);
    return route.fulfill({ response, body });
  });
}

/** Waits until the page shows a problem with this text. */
function alert(page: Page, text: string): Promise<void> {
  return page.getByRole('alert').filter({ hasText: text }).first().waitFor();
}

function budgetOf(page: Page): Promise<string | null> {
  return page.locator('.budget').textContent();
}

function marksOf(page: Page): Promise<(string | null)[]> {
  const marks = page.locator('.mark');
  return marks.evaluateAll((all) => all.map((mark) => mark.getAttribute('aria-label')));
}
