import { expect, test } from 'vitest';
import { useExtractor } from './support.ts';

const { made, read } = useExtractor();

const NOTEBOOK = {
  cells: [
    { cell_type: 'markdown', metadata: {}, source: ['# Tides\n', 'How *high* is\n', 'the water?'] },
    {
      cell_type: 'code',
      source: ['for hour in range(2):\n', '    print(hour)'],
      outputs: [
        { output_type: 'stream', name: 'stdout', text: ['0\n', '1\n'] },
        {
          output_type: 'display_data',
          data: { 'image/png': 'iVBORw0KGgo'.repeat(1000), 'text/plain': '<Figure 1>' },
        },
        { output_type: 'error', ename: 'KeyError', evalue: "'ebb'", traceback: ['x'] },
      ],
    },
  ],
  nbformat: 4,
};

test('a notebook is its texts, its code and what that has printed', async () => {
  const chunks = await read(await made('tides.ipynb', JSON.stringify(NOTEBOOK)));
  expect(chunks).toEqual([
    {
      content:
        'Tides\nHow high is the water?\n\nfor hour in range(2):\n    print(hour)\n\n0\n1\n\n' +
        "<Figure 1>\n\nKeyError: 'ebb'",
      origin: { heading: 'Tides' },
    },
  ]);
});

test.each([
  ['is none', '{"cells": [1]}', 'cells: 1'],
  ['is damaged', '{"cells": [{"source": null, "outputs": [null]}, {"source": ["a", 7]}]}', 'a'],
])('a notebook that %s', async (_case, content, text) => {
  const chunks = await read(await made('other.ipynb', content));
  expect(chunks.map((chunk) => chunk.content)).toEqual([text]);
});
