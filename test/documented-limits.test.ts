import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LIMITS, RANGES, type Range } from '../src/core/limits.ts';
import { RATE_WINDOWS } from '../src/core/policy.ts';

/* The tables of docs/api.md have the numbers of the code. */

const page = readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('|'));

test.each([
  [
    'lists, `datasetChanged` and `ingestionChanged` together; single files and `ingestion` together; questions and searches together',
    `${sameOf('list', 'get', 'question')} each`,
  ],
  ['uploads; tokens; deletions', `${sameOf('upload', 'token', 'delete')} each`],
  ['purges', sameOf('bulkDelete')],
])('rate window: %s', expectRow);

test.each([
  ['characters of a question', count(LIMITS.questionCharacters)],
  [
    'turns of a history, and characters of a turn',
    `${LIMITS.historyTurns}, and ${count(LIMITS.turnCharacters)}`,
  ],
  ['characters of instructions', count(LIMITS.instructionsCharacters)],
  [
    'filters; groups of filters',
    `${LIMITS.filters} each, groups at most ${LIMITS.filterDepth} deep; ${count(LIMITS.filterValues)} values in lists`,
  ],
  [
    'JSON body',
    `${LIMITS.jsonBodyBytes / 1024 ** 2} MiB; over GraphQL ${kB(LIMITS.anonymousBodyBytes)} without a credential`,
  ],
  ['characters of a dataset id', count(LIMITS.datasetIdCharacters)],
  ['files of an upload', `${LIMITS.filesPerUpload}, and ${GB(LIMITS.uploadBytes)} together`],
  [
    'file',
    `${MB(LIMITS.fileBytes)}; audio and video ${GB(LIMITS.mediaBytes)}; images ${MB(LIMITS.imageBytes)}`,
  ],
  ['pages of a file that are images', count(LIMITS.recognizedPages)],
  ['chunks of a file', count(LIMITS.chunksPerFile)],
  ['characters of a file name', count(LIMITS.fileNameCharacters)],
  ['URL of a file', `${count(LIMITS.urlCharacters)} characters`],
  ['custom metadata of a file', kB(LIMITS.metadataBytes)],
  ['asynchronous uploads that have not ended', `${LIMITS.openIngestions} for each customer`],
  [
    'open subscriptions to changes',
    `${LIMITS.subscriptionsPerCustomer} for each customer, in each gateway`,
  ],
])('limit: %s', expectRow);

test.each<[string, Range]>([
  ['`chunkSize`, tokens of a chunk', RANGES.chunkSize],
  ['`limit` of a search', RANGES.searchHits],
  ['page size of a list over REST', RANGES.pageSize],
  ['page size of a connection over GraphQL', RANGES.connectionSize],
  ['page size of the chunks of a file', RANGES.chunkPageSize],
  ['`ttlSeconds` of a frontend token', RANGES.tokenSeconds],
])('range: %s', (name, { min, max, preset }) => {
  expectRow(name, [min, max, preset].map(count).join(' | '));
});

function expectRow(name: string, value: string): void {
  expect(rows).toContain(`| ${name} | ${value} |`);
}

/** The calls a minute of windows that have the same. */
function sameOf(...names: (keyof typeof RATE_WINDOWS)[]): string {
  const [calls = 0, ...others] = new Set(names.map((name) => RATE_WINDOWS[name]));
  expect(others).toEqual([]);
  return count(calls);
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function kB(bytes: number): string {
  return `${bytes / 1024} kB`;
}

function MB(bytes: number): string {
  return `${bytes / 1024 ** 2} MB`;
}

function GB(bytes: number): string {
  return `${bytes / 1024 ** 3} GB`;
}
