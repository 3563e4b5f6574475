import { readFile, writeFile } from 'node:fs/promises';
import { describeSettings } from './config.ts';
import type { Setting } from './settings/setting.ts';
import { SETTINGS } from './settings.ts';

/* Prints the settings to docs/settings.md; with --check it fails when the file is not up to date. */

const FILE = new URL('../../docs/settings.md', import.meta.url);
const rows = describeSettings({}).map(({ setting, value, purpose }) => {
  const preset = value === 'not set' ? '' : `\`${value}\``;
  return `| \`${setting}\` | ${preset} | ${purpose} |`;
});
const fileVariables = Object.entries<Setting>(SETTINGS)
  .filter(([name, { secret }]) => secret && name !== 'OPENAI_API_KEY')
  .map(([name]) => `\`${name}_FILE\``)
  .join(', ');
const printed = `# Settings

Settings are environment variables, or lines of a file \`.env\`. An empty value counts as not set. The gateway does not start with a wrong value, and names the setting in one line. \`npm run -s filequery -- doctor\` prints all settings, without secrets, and tries every part.

Every secret can also be read from a file, such as a Docker or Kubernetes secret: \`OPENAI_API_KEY_FILE\` is the path of a file that contains \`OPENAI_API_KEY\`. The others are ${fileVariables}.

The commands that talk to a gateway, such as \`filequery import\`, read \`FILEQUERY_URL\` and \`FILEQUERY_API_KEY\` ([Operations](operations.md#folders-in-and-out)).

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
