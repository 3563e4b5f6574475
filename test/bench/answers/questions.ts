import { readFile } from 'node:fs/promises';

/** A question, and where its answer is; a question without a file has no answer in the documents. */
export interface Question {
  ask: string;
  /** The files that have the answer, by their names. */
  files: string[];
  /** Texts of which the right chunk, and the right answer, has one. */
  find: string[];
}

/**
 * Reads a table of questions, one a line, with tabs between its fields: the question, the file
 * (several with `;` between them), and the texts to find.
 */
export async function readQuestions(path: string | URL): Promise<Question[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => {
    const [ask = '', files = '', ...find] = line.split('\t');
    return { ask, files: files.split(';').filter(Boolean), find };
  });
}

/** Does a text have one of those that are to be found? White space and capitals do not count. */
export function has(text: string, find: string[]): boolean {
  return find.some((part) => plain(text).includes(plain(part)));
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').toLowerCase();
}
