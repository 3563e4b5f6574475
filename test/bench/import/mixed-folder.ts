import { cp, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DOCUMENTS = 'test/fixtures/documents';

/** Texts by the ending of their names, each of its own content. */
const NOTES: Record<string, (n: number, text: string) => string> = {
  txt: (_, text) => text,
  md: (n, text) => `# Note ${n}\n\n${text}\n`,
  html: (n, text) => `<!doctype html><title>Note ${n}</title><h1>Note ${n}</h1><p>${text}</p>`,
  json: (n, text) => JSON.stringify({ number: n, text }),
  csv: (n, text) => `number,text\n${n},"${text}"\n`,
};

/** A new folder of small files: documents of every format, and notes. */
export async function makeMixedFolder(count: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'filequery-bench-'));
  const documents = (await readdir(DOCUMENTS)).slice(0, count);
  for (const name of documents) await cp(join(DOCUMENTS, name), join(folder, name));
  const endings = Object.keys(NOTES);
  for (let n = documents.length; n < count; n++) {
    const ending = endings[n % endings.length] ?? '';
    const text = Array.from({ length: 600 }, (_, at) => `word${(n * 31 + at * at) % 4999}`);
    await writeFile(join(folder, `note ${n}.${ending}`), NOTES[ending]?.(n, text.join(' ')) ?? '');
  }
  return folder;
}
