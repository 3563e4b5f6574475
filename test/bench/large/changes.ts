import { createReindex } from '../../../src/use-cases/datasets/reindex.ts';
import { createSentences } from '../../support/prose.ts';
import type { BenchGateway } from '../ingest/bench-gateway.ts';
import { multipartOf } from '../ingest/multipart.ts';
import { figure, median, timed } from '../report/figures.ts';
import { DATASET } from './fill.ts';

const FILES = 20;
/** About 50 chunks. */
const CHARACTERS = 50 * 1190;

/** How long it takes to add a file to the dataset, and to delete it. */
export async function measureChanges(gateway: BenchGateway) {
  const added: number[] = [];
  const deleted: number[] = [];
  const sentence = createSentences();
  let text = '';
  while (text.length < CHARACTERS) text += `${sentence()}\n`;
  for (let at = 0; at < FILES; at++) {
    const { body, headers } = multipartOf(DATASET, [
      { name: `added-${at}.txt`, content: () => [Buffer.from(text)] },
    ]);
    const [took, answer] = await timed(() =>
      gateway.ask('POST', '/v1/files/upload', body, headers),
    );
    added.push(took);
    const [file] = (answer as { files: { fileId: string }[] }).files;
    const path = `/v1/files/${file?.fileId}?datasetId=${DATASET}`;
    deleted.push((await timed(() => gateway.ask('DELETE', path)))[0]);
  }
  return [
    { what: 'upload of a file of 50 chunks, median ms', value: figure(median(added)) },
    { what: 'its deletion, median ms', value: figure(median(deleted)) },
  ];
}

/** How quickly chunks are embedded anew by a model that takes no time; it is stopped after so many. */
export async function measureReindex({ parts }: BenchGateway, most: number) {
  const { prisma, index, embeddings } = parts;
  let done = 0;
  const embedTexts: typeof embeddings.embedTexts = async (texts) => {
    if (done >= most) throw new Error('enough');
    done += texts.length;
    return embeddings.embedTexts(texts);
  };
  const reindex = createReindex({
    prisma,
    index,
    embeddings: { ...embeddings, name: 'new', embedTexts },
  });
  const [ms] = await timed(() => reindex({}, () => {}).catch(() => {}));
  return [{ what: 'chunks embedded anew a second', value: figure((1000 * done) / ms) }];
}
