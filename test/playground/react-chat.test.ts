import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { listen } from '../../src/http/listen.ts';
import { bundle } from '../../src/pages/bundle.ts';
import { HAS_BROWSER, inBrowser, openBrowser } from '../support/browser.ts';
import { newCustomer } from '../support/client.ts';
import { startGateway } from '../support/gateway.ts';

it.runIf(HAS_BROWSER)(
  inBrowser('the example for React asks in a page that was rendered on a server'),
  async () => {
    const gateway = await startGateway();
    const customer = await newCustomer(gateway);
    await customer.upload('chat', { 'fox.txt': 'The fox is quick.' });
    const { body } = await customer.rest('POST', '/tokens/create', { datasetId: 'chat' });
    const { url, stop } = await listen((request) => gateway.fetch(request), {
      ...{ host: '127.0.0.1', port: 0 },
    });
    const script = await hydrationScript(url);
    const element = renderToString(createElement('filequery-chat', { endpoint: url }));
    const page = await listen(
      () => new Response(PAGE(element, script, url), { headers: { 'content-type': 'text/html' } }),
      { host: '127.0.0.1', port: 0 },
    );
    const browser = await openBrowser();
    try {
      const opened = await browser.newPage();
      await opened.exposeFunction('getToken', () => body.token);
      const answered = new Promise((resolve) => opened.exposeFunction('answered', resolve));
      await opened.goto(page.url);
      await opened.getByLabel('Question', { exact: true }).fill('Is the fox quick?');
      await opened.keyboard.press('Enter');
      await opened.locator('.answer').getByText('The fox is quick').waitFor();
      expect(await answered).toContain('The fox is quick');
    } finally {
      await browser.close();
      await page.stop();
      await stop();
      await gateway.close();
    }
  },
);

const PAGE = (element: string, script: string, gateway: string) => `<!doctype html>
<html lang="en"><title>A shop</title><main>${element}</main>
<script type="module">${script}</script>
<script type="module" src="${gateway}/filequery-chat.js"></script></html>`;

/** Takes the page over with the example of docs/playground.md. */
async function hydrationScript(gateway: string): Promise<string> {
  const text = await readFile('docs/playground.md', 'utf8');
  const [, example = ''] = /```jsx\n(<filequery-chat\n[^`]+)```/.exec(text) ?? [];
  const folder = await mkdtemp(join(tmpdir(), 'filequery-react-'));
  await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  const entry = join(folder, 'main.jsx');
  await writeFile(
    entry,
    `import { hydrateRoot } from 'react-dom/client';
    const getToken = () => globalThis.getToken();
    const show = ({ detail }) => globalThis.answered(detail.text);
    hydrateRoot(document.querySelector('main'), ${example.replace('https://files.example.com', gateway)});`,
  );
  const { script } = await bundle(pathToFileURL(entry), 'react');
  await rm(folder, { recursive: true });
  return script.replaceAll('</script', '<\\/script');
}
