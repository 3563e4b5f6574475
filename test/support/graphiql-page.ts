import type { Page } from 'playwright-core';

type Panel = 'query-editor' | 'response';

/**
 * Chooses the tab of an operation, and waits until the editor has it. Tabs can be dragged: a click that
 * GraphiQL takes for the start of that chooses nothing, and is repeated, as somebody would.
 */
export async function chooseTab(page: Page, operation: string): Promise<void> {
  const tab = page.locator(`.graphiql-tab-button:text-is("${operation}")`);
  await tab.click();
  await waitForText(page, 'query-editor', ` ${operation}`, 5000).catch(async () => {
    await tab.click();
    await waitForText(page, 'query-editor', ` ${operation}`);
  });
}

/** Runs the example of a tab. @returns the result, once it contains `part` */
export async function runExample(page: Page, operation: string, part: string): Promise<string> {
  await chooseTab(page, operation);
  await page.click('.graphiql-execute-button');
  return waitForText(page, 'response', part);
}

/** What the editors mark as wrong now, without the delay after which they do. */
export function markedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    for (const element of document.querySelectorAll('.CodeMirror')) {
      (element as unknown as Editor).CodeMirror.performLint?.();
    }
    const marks = document.querySelectorAll('[class*="CodeMirror-lint-mark-"]');
    return [...marks].map(({ textContent }) => textContent ?? '');
  });
}

/** As if it was typed into the editor of operations. */
export function type(page: Page, text: string): Promise<void> {
  return page.evaluate((typed) => {
    const element = document.querySelector('.graphiql-query-editor .CodeMirror');
    (element as unknown as Editor).CodeMirror.setValue(typed);
  }, text);
}

/** An editor draws the lines in sight alone, but has all of the text. */
interface Editor {
  CodeMirror: { getValue(): string; setValue(text: string): void; performLint?(): void };
}

async function waitForText(
  page: Page,
  panel: Panel,
  part: string,
  timeout = 15_000,
): Promise<string> {
  const found = await page.waitForFunction(
    ([selector, wanted]) => {
      const element = document.querySelector(`${selector} .CodeMirror`);
      const text = (element as unknown as Editor | null)?.CodeMirror.getValue() ?? '';
      return text.includes(wanted) && text;
    },
    [`.graphiql-${panel}`, part] as const,
    { timeout },
  );
  return String(await found.jsonValue());
}
