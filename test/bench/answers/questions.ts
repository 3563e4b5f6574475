import { readFile } from 'node:fs/promises';

/** A question, and where its answer is; a question without a file has no answer in the documents. */
export interface Question {
  ask: string;
  /** The answer's file, by its name. */
  file?: string | undefined;
  /** Texts of which the right chunk, and the right answer, has one. */
  find: string[];
}

/** Reads a table of questions, one a line: the question, the file, and the texts to find, with tabs between them. */
export async function readQuestions(path: string | URL): Promise<Question[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => {
    const [ask = '', file, ...find] = line.split('\t');
    return { ask, file, find };
  });
}

/** Does a text have one of those that are to be found? White space and capitals do not count. */
export function has(text: string, find: string[]): boolean {
  return find.some((part) => plain(text).includes(plain(part)));
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').toLowerCase();
}
