/*
 * How fast one process reads. Run it with `npx node test/adapters/extraction/throughput.ts`.
 */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTextExtractor } from '../../../src/adapters/extraction/text-extractor.ts';
import { createSentences } from '../../support/prose.ts';

const MEGABYTE = 1e6;
const PDF_PAGES = 500;
const extractor = createTextExtractor({ processes: 1, maxProcesses: 1 });
const folder = await mkdtemp(join(tmpdir(), 'filequery-throughput-'));

await measure('text.txt', prose(30));
await measure('table.csv', table(15));
await measure('guide.md', guide(5));
await measure('records.jsonl', records(15));
await measure('pages.pdf', pdf(PDF_PAGES), PDF_PAGES);

await extractor.close();
await rm(folder, { recursive: true });

async function measure(originalName: string, content: string, pages = 0): Promise<void> {
  const path = join(folder, originalName);
  await writeFile(path, content, 'latin1');
  const file = { originalName, mimeType: null, size: (await stat(path)).size, path };
  const kind = await extractor.identify(file);
  const { signal } = new AbortController();
  for (let run = 1; run <= 3; run += 1) {
    const start = performance.now();
    let chunks = 0;
    for await (const batch of extractor.extract(file, kind, {
      owner: 'customer',
      chunkSize: 300,
      chunkOverlap: 20,
      signal,
    })) {
      chunks += batch.length;
    }
    const seconds = (performance.now() - start) / 1000;
    const rates = [
      `${(file.size / MEGABYTE / seconds).toFixed(1)} MB/s`,
      `${Math.round(chunks / seconds)} chunks/s`,
      ...(pages > 0 ? [`${Math.round(pages / seconds)} pages/s`] : []),
    ];
    process.stdout.write(`${originalName} run ${run}: ${rates.join(', ')}\n`);
  }
}

function repeat(megabytes: number, part: (index: number) => string): string {
  const parts: string[] = [];
  for (let size = 0; size < megabytes * MEGABYTE; size += parts.at(-1)?.length ?? 0) {
    parts.push(part(parts.length));
  }
  return parts.join('');
}

function prose(megabytes: number): string {
  const sentence = createSentences();
  return repeat(megabytes, (index) => sentence() + (index % 5 === 4 ? '\n\n' : ' '));
}

function table(megabytes: number): string {
  const sentence = createSentences();
  const row = (n: number) =>
    `${n},Town ${n % 1000},${(n * 37) % 100_000},"${sentence()}",Velland\n`;
  return `id,city,population,note,country\n${repeat(megabytes, row)}`;
}

function guide(megabytes: number): string {
  const sentence = createSentences();
  return repeat(
    megabytes,
    (n) => `## Chapter ${n}\n\n${sentence()} **${sentence()}**\n\n- ${sentence()}\n\n`,
  );
}

function records(megabytes: number): string {
  const sentence = createSentences();
  return repeat(megabytes, (n) => `{"id": ${n}, "level": "info", "message": "${sentence()}"}\n`);
}

/** A PDF of plain pages, 40 lines each. */
function pdf(pages: number): string {
  const sentence = createSentences();
  const line = () => `(${sentence().slice(0, 90)}) Tj T*`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  const kids: string[] = [];
  for (let page = 0; page < pages; page += 1) {
    const text = `BT /F 11 Tf 14 TL 50 780 Td ${Array.from({ length: 40 }, line).join('\n')} ET`;
    objects.push(`<</Length ${text.length}>>stream\n${text}\nendstream`);
    const fonts = '/Resources<</Font<</F 3 0 R>>>>/MediaBox[0 0 595 842]';
    objects.push(`<</Type/Page/Parent 2 0 R${fonts}/Contents ${objects.length} 0 R>>`);
    kids.push(`${objects.length} 0 R`);
  }
  objects[1] = `<</Type/Pages/Count ${pages}/Kids[${kids.join(' ')}]>>`;
  const body = objects.map((object, index) => `${index + 1} 0 obj${object}endobj\n`).join('');
  return `%PDF-1.4\n${body}trailer<</Root 1 0 R/Size ${objects.length + 1}>>\n%%EOF`;
}
