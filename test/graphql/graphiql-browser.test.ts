import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as documents from '../../src/generated/graphql.ts';
import { HAS_BROWSER, inBrowser, openBrowser } from '../support/browser.ts';
import { chooseTab, markedTexts, runExample, type } from '../support/graphiql-page.ts';
import { type Served, serveShared } from '../support/served.ts';

const WIDE = { viewport: { width: 1400, height: 850 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

describe.skipIf(!HAS_BROWSER)(inBrowser('GraphiQL in Chromium'), () => {
  let served: Served;
  let browser: Browser;
  /** What the console of a page complains of. */
  const complaints: string[] = [];

  beforeAll(async () => {
    [served, browser] = await Promise.all([serveShared(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await served?.stop();
  });

  it('asks for the key once, and uses it in every tab until it is forgotten', async () => {
    const page = await open(WIDE);
    await page.fill('#key', keyOf(served));
    await page.click('text=Use key');
    expect(await runExample(page, 'Viewer', '"data"')).toContain('"customerName": "test"');
    expect(await runExample(page, 'Datasets', '"data"')).toContain('"datasetId": "docs"');
    await page.reload();
    expect(await runExample(page, 'Overview', '"data"')).toContain('"originalName": "a.txt"');
    const kept = await page.evaluate(() => Object.entries(localStorage).flat().join('\n'));
    expect(kept).not.toContain(keyOf(served));
    await page.click('text=Forget key');
    expect(await runExample(page, 'Viewer', '"errors"')).toContain('MISSING_CREDENTIAL');
    await page.context().close();
  });

  it('has the key until it is closed, in a browser that keeps nothing for any page', async () => {
    const page = await open(WIDE, denyStorage);
    await page.fill('#key', keyOf(served));
    await page.click('text=Use key');
    expect(await runExample(page, 'Viewer', '"data"')).toContain('"customerName": "test"');
    await page.context().close();
  });

  it('has a tab for each operation, with nothing marked as wrong', async () => {
    const page = await open(WIDE);
    const tabs = await page.locator('.graphiql-tab-button').allTextContents();
    expect(tabs).toHaveLength(Object.keys(documents).length);
    await page.click('.graphiql-tab-add');
    await type(page, '{ nothing }');
    await expect.poll(() => markedTexts(page)).toContain('nothing');
    for (const tab of tabs) {
      await chooseTab(page, tab);
      await expect.poll(() => markedTexts(page), { message: tab }).toEqual([]);
    }
    await page.context().close();
  });

  it('adds up the answers of a subscription, below the operation on a phone', async () => {
    const page = await open(PHONE);
    await page.fill('#key', keyOf(served));
    await page.click('text=Use key');
    const shown = await runExample(page, 'AskQuestion', '"result"');
    expect(shown).toContain('"events"');
    for (const part of ['"sources"', '"delta"', '"result"']) {
      expect(shown).toContain(part);
    }
    expect(shown).toContain('a.txt');
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBe(PHONE.viewport.width);
    const editor = await page.locator('.graphiql-editors').boundingBox();
    const response = await page.locator('.graphiql-response').boundingBox();
    expect(response?.y).toBeGreaterThanOrEqual((editor?.y ?? 0) + (editor?.height ?? 0));
    await page.context().close();
  });

  it('without a complaint in the console', () => {
    expect(complaints).toEqual([]);
  });

  it('says why a subscription is refused, such as for a wrong key', async () => {
    const page = await open(WIDE);
    await page.fill('#key', 'wrong');
    await page.click('text=Use key');
    const shown = await runExample(page, 'AskQuestion', '"errors"');
    expect(JSON.parse(shown).errors).toEqual([
      expect.objectContaining({ message: 'Invalid API key or token' }),
    ]);
    await page.context().close();
  });

  async function open(options: typeof WIDE, before = () => {}): Promise<Page> {
    const context = await browser.newContext(options);
    await context.addInitScript(before);
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    const schema = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.goto(served.url);
    await schema;
    return page;
  }
});

/** As a browser does that blocks all cookies. Runs in the page. */
function denyStorage(): void {
  for (const name of ['localStorage', 'sessionStorage']) {
    const get = () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    };
    Object.defineProperty(window, name, { get });
  }
}

function keyOf({ headers }: Served): string {
  return headers.authorization.replace('Bearer ', '');
}
