import { readFile } from 'node:fs/promises';
import pMap from 'p-map';
import { prose } from '../../support/prose.ts';
import { figure, median, timed } from '../report/figures.ts';
import type { BenchGateway } from './bench-gateway.ts';
import { countStatements } from './count-statements.ts';
import { multipartOf } from './multipart.ts';

const FILES = 200;
/** As an import sends them. */
const REQUESTS_AT_ONCE = 4;
const DOCUMENTS = new URL('../../fixtures/documents/', import.meta.url);

type NamedFile = { name: string; content: () => Uint8Array[] };

/** How long many small files of several formats take, one and 20 a request; medians of the rounds. */
export async function measureSmallFiles(gateway: BenchGateway, { rounds }: { rounds: number }) {
  const files = await makeFiles();
  const measured = new Map([1, 20].map((together) => [together, [] as number[]]));
  const statements = new Map<number, number>();
  for (let round = -1; round < rounds; round++) {
    for (const [together, times] of measured) {
      await gateway.clear();
      const work = () => upload(gateway, files, together);
      let ms = 0;
      const count = await countStatements(async () => {
        [ms] = await timed(work);
      });
      statements.set(together, count);
      if (round >= 0) times.push(ms);
    }
  }
  await gateway.clear();
  return [...measured].map(([together, times]) => ({
    [`${FILES} small mixed files, ${REQUESTS_AT_ONCE} requests at once`]: `${together} a request`,
    'files/s': figure((1000 * FILES) / median(times)),
    'SQL statements a file': figure((statements.get(together) ?? 0) / FILES),
  }));
}

/** Nine in ten are texts of 4 kB, the others are office documents, PDFs and pages. */
async function makeFiles(): Promise<NamedFile[]> {
  const text = Buffer.from(Array.from(prose(4 * 1000 * FILES)).join(''));
  const names = ['warranty-handbook.docx', 'annual-report.pdf', 'staff.xlsx', 'article.html'];
  const documents = await Promise.all(
    names.map(async (name) => ({ name, bytes: await readFile(new URL(name, DOCUMENTS)) })),
  );
  const cells = Array.from({ length: 60 }, (_, row) => `row ${row},${row * row},a value`);
  return Array.from({ length: FILES }, (_, at) => {
    const part = text.subarray(4000 * at, 4000 * (at + 1));
    const document = documents[(at / 10) % documents.length];
    if (at % 10 === 0 && document) return named(`${at}-${document.name}`, document.bytes);
    if (at % 10 < 6)
      return named(`${at}.md`, Buffer.concat([Buffer.from(`# File ${at}\n\n`), part]));
    if (at % 10 < 8) return named(`${at}.txt`, part);
    if (at % 10 === 8)
      return named(`${at}.csv`, Buffer.from(['name,number,note', ...cells].join('\n')));
    return named(`${at}.json`, Buffer.from(JSON.stringify({ at, text: part.toString() })));
  });
}

function named(name: string, bytes: Uint8Array): NamedFile {
  return { name, content: () => [bytes] };
}

async function upload(gateway: BenchGateway, files: NamedFile[], together: number): Promise<void> {
  const requests = Array.from({ length: files.length / together }, (_, at) =>
    files.slice(at * together, (at + 1) * together),
  );
  await pMap(
    requests,
    async (some) => {
      const { body, headers } = multipartOf('small', some);
      await gateway.ask('POST', '/v1/files/upload', body, headers);
    },
    { concurrency: REQUESTS_AT_ONCE },
  );
}
