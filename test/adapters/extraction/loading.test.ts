import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PARSERS = /^(?:csv-parse|htmlparser2|js-yaml|markdown-it|officeparser|pdfjs-dist|.*xlsx)$/;
const FORMATS = new URL('../../../src/adapters/extraction/formats.ts', import.meta.url).href;
/** Prints the packages that come with the reader of a format. */
const SCRIPT = `
  import { registerHooks } from 'node:module';
  const packages = new Set();
  registerHooks({
    load(url, context, nextLoad) {
      const [, name] = /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
      if (name) packages.add(name);
      return nextLoad(url, context);
    },
  });
  const [formats, format] = process.argv.slice(1);
  await (await import(formats)).loadReader(format);
  process.stdout.write(JSON.stringify([...packages]));
`;

test.each([
  ['text', []],
  ['markdown', ['markdown-it']],
  ['csv', ['csv-parse']],
  ['json', []],
  ['html', ['htmlparser2']],
  ['pdf', ['pdfjs-dist']],
  // Its charts are read with the parser of HTML.
  ['docx', ['htmlparser2', 'officeparser']],
])('the reader of %s loads no parser of another format', async (format, expected) => {
  const args = ['--input-type=module', '--eval', SCRIPT, FORMATS, format];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const loaded: string[] = JSON.parse(stdout);
  expect(loaded.filter((name) => PARSERS.test(name)).toSorted()).toEqual(expected);
});
