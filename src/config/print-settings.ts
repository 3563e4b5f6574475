import { readFile, writeFile } from 'node:fs/promises';
import { describeSettings } from './config.ts';

/* Prints the settings to docs/settings.md; with --check it fails when the file is not up to date. */

const FILE = new URL('../../docs/settings.md', import.meta.url);
const rows = describeSettings({}).map(({ setting, value, purpose }) => {
  const preset = value === 'not set' ? '' : `\`${value}\``;
  return `| \`${setting}\` | ${preset} | ${purpose} |`;
});
const printed = `# Settings

Settings are environment variables, or lines of a file \`.env\`. An empty value counts as not set. The gateway does not start with a wrong value, and names the setting in one line. \`npm run -s filequery -- doctor\` prints all settings, without secrets, and tries every part.

This page is printed by \`npm run settings\`.

| variable | default | |
|---|---|---|
${rows.join('\n')}
`;

if (!process.argv.includes('--check')) {
  await writeFile(FILE, printed);
} else if ((await readFile(FILE, 'utf8').catch(() => '')) !== printed) {
  process.stderr.write('docs/settings.md is not up to date: run `npm run settings`\n');
  process.exitCode = 1;
}
