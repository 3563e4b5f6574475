import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createFilequery } from '../support/filequery.ts';

const filequery = createFilequery('/nowhere');

/** What bash offers when the last of these words is completed. */
async function offered(...words: string[]): Promise<string[]> {
  const script = await filequery.told('completion', 'bash');
  const asked = `${script}
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _filequery; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)('bash', ['-c', asked, 'bash', ...words]);
  return stdout.trim().split('\n').filter(Boolean);
}

it.each([
  [['filequery', 'im'], ['import']],
  [
    ['filequery', 'customer', ''],
    ['create', 'list', '--help'],
  ],
  [['filequery', 'customer', 'create', '--u'], ['--unmetered']],
  [['filequery', '--json', 'import', 'docs', '--da'], ['--dataset']],
  [
    ['filequery', 'ask', '$(echo harmless > /dev/full)', '--f'],
    ['--filter', '--filters'],
  ],
  // bash offers files then.
  [['filequery', 'import', 'READ'], []],
])('%j is completed in bash', async (words, expected) => {
  expect(await offered(...words)).toEqual(expected);
});

it('has scripts for zsh and fish, and for no other shell', async () => {
  expect(await filequery.told('completion', 'zsh')).toMatch(/^#compdef filequery\n/);
  const fish = await filequery.told('completion', 'fish');
  expect(fish).toContain(
    "complete -c filequery -n '__fish_seen_subcommand_from import' -l dataset -d 'the dataset;",
  );
  const { code, stderr } = await filequery.run('completion', 'tcsh');
  expect(code).toBe(1);
  expect(stderr).toContain('Allowed choices are bash, zsh, fish.');
});
