import { isAscii } from 'node:buffer';
import { open } from 'node:fs/promises';
import { encodingOf } from './encoding.ts';

/** A line of a text, or a part of a very long line. */
export interface Line {
  text: string;
  /** Counts from 1. */
  number: number;
  /** Whether the line continues in the next part, which has the same number. */
  cut: boolean;
}

/** In bytes. */
const BLOCK = 256 * 1024;
/** In characters. */
const LONGEST_LINE = 64 * 1024;

const LINE_BREAK = /\r\n?/g;
/** They break lines where text is shown, but neither the lines nor the records of a file. */
const OTHER_BREAK = /[\f\v\x85\u2028\u2029]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const CONTROLS = /[\0-\x08\x0e-\x1f\x7f\ufeff]/g;
/** Overstriking, which terminals and printers use for bold and underlined text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const TYPE = /\x1b\[[\d;]*m|[^\n]\x08/g;
/** A word that is split by a soft hyphen at the end of a line. Its rest is moved to that line. */
const CUT_WORD = /\u00ad(\n[^\S\n]*)([^\s\u00ad]+)[^\S\n]?/g;
/** In characters: of a line below one that is cut. */
const LONGEST_INDENT = 200;
const SOFT_HYPHENS = /\u00ad/g;
const WALL_OF_BLANKS = / {100,}|\t{100,}/g;

/**
 * Reads a text file of any encoding and size as tidied text, whose lines are those of the file.
 * Blocks may end anywhere in a line.
 */
export function textBlocksOf(path: string): AsyncIterable<string> {
  return blocksOf(path, tidyLines);
}

/** Reads a file of records, in which blanks and line breaks of all kinds are part of the data. */
export function dataBlocksOf(path: string): AsyncIterable<string> {
  return blocksOf(path, tidyData);
}

/** The lines of a text file, in batches. Parts of a line that are shown on several have its number. */
export async function* linesOf(path: string): AsyncIterable<Line[]> {
  for await (const lines of linesIn(textBlocksOf(path), LONGEST_LINE)) {
    yield lines.flatMap((line) => (line.text.search(OTHER_BREAK) < 0 ? line : shownLines(line)));
  }
}

/** The lines of a file of records, in batches. */
export function recordsOf(path: string, longest: number): AsyncIterable<Line[]> {
  return linesIn(dataBlocksOf(path), longest);
}

/** The first block of a text file: all of it, if it is short. */
export async function beginningOf(path: string): Promise<string> {
  for await (const block of dataBlocksOf(path)) return block;
  return '';
}

/**
 * Normalizes line breaks, and removes control characters, soft hyphens and invalid characters.
 */
export function tidy(text: string): string {
  return tidyLines(text).replace(OTHER_BREAK, '\n');
}

function tidyLines(text: string): string {
  return withoutSoftHyphens(tidyData(text)).replace(WALL_OF_BLANKS, ' ');
}

function tidyData(text: string): string {
  return text.replace(LINE_BREAK, '\n').replace(TYPE, '').replace(CONTROLS, '').toWellFormed();
}

async function* blocksOf(path: string, tidied: (text: string) => string): AsyncIterable<string> {
  const decoder = new TextDecoder(await encodingOfFile(path));
  let held = '';
  for await (const bytes of bytesOf(path)) {
    const text = held + decoder.decode(bytes, { stream: true });
    // The line feed after a carriage return may be in the next block.
    held = text.endsWith('\r') ? '\r' : '';
    held ||= cutWordOf(text);
    yield tidied(held ? text.slice(0, -held.length) : text);
  }
  yield tidied(held + decoder.decode());
}

async function* linesIn(blocks: AsyncIterable<string>, longest: number): AsyncIterable<Line[]> {
  let [rest, number] = ['', 1];
  for await (const block of blocks) {
    const texts = (rest + block).split('\n');
    rest = texts.pop() ?? '';
    const lines = texts.map((text, index) => ({ text, number: number + index, cut: false }));
    number += lines.length;
    if (rest.length > longest) {
      lines.push({ text: rest, number, cut: true });
      rest = '';
    }
    yield lines;
  }
  yield [{ text: rest, number, cut: false }];
}

function shownLines({ text, number, cut }: Line): Line[] {
  const parts = text.split(OTHER_BREAK);
  return parts.map((part, index) => ({
    text: part,
    number,
    cut: cut && index === parts.length - 1,
  }));
}

/** A soft hyphen at the end of a block: the word continues in the next one. */
function cutWordOf(block: string): string {
  const end = block.slice(-LONGEST_INDENT);
  const cut = end.lastIndexOf('\u00ad');
  return cut >= 0 && end.slice(cut + 1).trim() === '' ? end.slice(cut) : '';
}

function withoutSoftHyphens(text: string): string {
  if (!text.includes('\u00ad')) return text;
  return text.replace(CUT_WORD, '$2$1').replace(SOFT_HYPHENS, '');
}

async function encodingOfFile(path: string): Promise<string> {
  let first: Uint8Array | undefined;
  for await (const bytes of bytesOf(path)) {
    first ??= Uint8Array.from(bytes);
    // ASCII does not identify the encoding of what follows, unless it has the zeros of UTF-16.
    if (!isAscii(bytes) || first.includes(0)) return encodingOf(first, bytes);
  }
  return 'utf-8';
}

/** The bytes of a file in blocks, each of which is valid until the next one is asked for. */
async function* bytesOf(path: string): AsyncIterable<Uint8Array> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const block = Buffer.allocUnsafe(Math.min(size, BLOCK));
    for (;;) {
      const { bytesRead } = await file.read(block);
      if (bytesRead === 0) return;
      yield block.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
