import { readdir, readFile } from 'node:fs/promises';
import { parse, print } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as documents from '../../src/generated/graphql.ts';
import { createClient } from '../support/client.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
let page: string;

beforeAll(async () => {
  gateway = await shareGateway();
  const response = await openInBrowser('/graphql');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  page = await response.text();
});
afterAll(() => gateway.close());

it('comes without a key and loads nothing from anywhere', () => {
  const markup = page.replaceAll(/(<script\b[^>]*>)[\s\S]*?(<\/script>)/gi, '$1$2');
  const named = [
    ...markup.matchAll(/\s(?:src|href)\s*=\s*["']?([^"'\s>]+)/gi),
    ...markup.matchAll(/(?:@import\s*|\burl\(\s*)["']?([^"')\s;]+)/gi),
  ].map(([, url = '']) => url);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((url) => !/^(data:|#)/.test(url))).toEqual([]);
});

it('opens with every operation of schema/operations', async () => {
  const folder = new URL('../../schema/operations/', import.meta.url);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.graphql'));
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  expect(names).toHaveLength(Object.keys(documents).length);
  const { initialQuery } = optionsOf(page);
  expect(print(parse(initialQuery))).toBe(print(parse(texts.join('\n'))));
});

it('opens with variables for them, and a place for the key', () => {
  const { initialVariables, initialHeaders } = optionsOf(page);
  const given = Object.keys(JSON.parse(initialVariables));
  const declared = Object.values(documents).flatMap(({ definitions }) =>
    definitions.flatMap((definition) =>
      'variableDefinitions' in definition ? (definition.variableDefinitions ?? []) : [],
    ),
  );
  expect(declared.map(({ variable }) => variable.name.value)).toEqual(
    expect.arrayContaining(given),
  );
  expect(JSON.parse(initialHeaders)).toEqual({ Authorization: 'Bearer ' });
});

it('is where the root leads', async () => {
  const response = await openInBrowser('/');
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toBe('/graphql');
});

/** What the page hands to GraphiQL. */
function optionsOf(
  html: string,
): Record<'initialQuery' | 'initialVariables' | 'initialHeaders', string> {
  const [, options = ''] = /renderYogaGraphiQL\(\s*window\S+,\s*(\{.*\}),?\s*\);/.exec(html) ?? [];
  return JSON.parse(options);
}

function openInBrowser(path: string): Promise<Response> {
  const headers = { accept: 'text/html,application/xhtml+xml' };
  return createClient(gateway).raw('GET', path, undefined, { headers });
}
