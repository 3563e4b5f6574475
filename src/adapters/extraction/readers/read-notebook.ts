import { createBlockReader } from '../markdown/block-passages.ts';
import { parseMarkdown } from '../markdown/parse-markdown.ts';
import type { Passage } from '../passage.ts';
import type { Source } from '../reader.ts';
import { jsonPassages, wholeJson } from './read-json.ts';

/** A notebook of Jupyter, as far as it is read here. Whatever is missing or of another type is left out. */
interface Notebook {
  cells: Cell[];
}

interface Cell {
  cell_type?: unknown;
  source: unknown;
  outputs?: unknown;
}

/** Of `print`, of a value, or of an error. */
interface Output {
  text?: unknown;
  data?: { 'text/plain'?: unknown } | null;
  ename?: unknown;
  evalue?: unknown;
}

/** The texts and the code of a notebook, with what the code has printed, but without its images. */
export async function* readNotebook({ path }: Source): AsyncIterable<Passage[]> {
  const notebook = await wholeJson({ path });
  if (!isNotebook(notebook)) {
    yield* jsonPassages(notebook, path);
    return;
  }
  const reader = createBlockReader('');
  for (const cell of notebook.cells) yield await reader.read(parseMarkdown(markdownOf(cell)));
  yield reader.end();
}

function isNotebook(value: unknown): value is Notebook {
  const { cells } = (value ?? {}) as Partial<Notebook>;
  return Array.isArray(cells) && cells.every((cell) => cell?.source !== undefined);
}

function markdownOf({ cell_type, source, outputs }: Cell): string {
  if (cell_type !== 'code') return textOf(source);
  const shown = Array.isArray(outputs) ? outputs.map(shownBy) : [];
  return [textOf(source), ...shown].map(asCode).join('\n\n');
}

function shownBy(output: Output | null): string {
  const { text, data, ename, evalue } = output ?? {};
  return ename ? `${textOf(ename)}: ${textOf(evalue)}` : textOf(text ?? data?.['text/plain']);
}

function asCode(text: string): string {
  if (!text.trim()) return '';
  const fences = text.match(/`{3,}/g) ?? [];
  const longest = fences.reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** A text, or its lines with their line breaks. */
function textOf(lines: unknown): string {
  return [lines]
    .flat()
    .filter((line) => typeof line === 'string')
    .join('');
}
