import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = [process.env['CHROMIUM'] ?? '', ...PATHS].find((path) => existsSync(path));

/** Whether tests can open a browser here; `CHROMIUM` is the path of one that is elsewhere. */
export const HAS_BROWSER = executablePath !== undefined;

/** The title of what needs a browser; it says why it is skipped. */
export function inBrowser(title: string): string {
  return HAS_BROWSER ? title : `${title} (skipped: Chromium is not installed)`;
}

export function openBrowser(): Promise<Browser> {
  if (!executablePath) throw new Error('Chromium is not installed');
  // In a container, root has no sandbox; the pages are our own.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** Keeps a picture of the page, if TEST_SCREENSHOTS names a folder. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['TEST_SCREENSHOTS'];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}
