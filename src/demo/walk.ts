import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import {
  AnswerQuestionDocument,
  AskQuestionDocument,
  DeleteFileDocument,
  FileDocument,
  FilesDocument,
  PurgeDatasetDocument,
  SearchDocument,
  UploadFilesDocument,
  ViewerDocument,
} from '../generated/graphql.ts';
import { createDemoClient } from './client.ts';

const DOCUMENTS = new URL('./documents/', import.meta.url);
const QUESTION = 'How long is the heating element covered?';
const ANSWER = /5 years|five years/i;

interface UploadedFile {
  fileId: string;
  originalName: string;
}

/**
 * Runs the main workflow step by step in a new dataset, which is empty at the end.
 *
 * @throws Error at the first step with an unexpected result
 */
export async function walk({ urls, apiKey }: { urls: string[]; apiKey: string }): Promise<void> {
  const datasetId = `demo-${Date.now()}`;
  const client = createDemoClient({ urls, credential: apiKey });
  const step = (text: string) => console.log(`\n${text}`);
  const show = (text: string) => console.log(`  ${text}`);

  step('Upload a Word document and a PDF over REST, with custom metadata');
  const form = new FormData();
  form.set('datasetId', datasetId);
  form.set('metadata', JSON.stringify({ 'warranty-handbook.docx': { category: 'warranty' } }));
  for (const name of ['warranty-handbook.docx', 'annual-report.pdf']) {
    form.append('file', await document(name));
  }
  const uploaded = await client.rest<{ files: UploadedFile[]; billed: object }>(
    'POST',
    '/files/upload',
    form,
  );
  for (const file of uploaded.files) show(`${file.originalName} is file ${file.fileId}`);
  show(`billed ${JSON.stringify(uploaded.billed)}`);

  step('Upload Markdown, CSV and HTML over GraphQL');
  const names = ['user-guide.md', 'cities.csv', 'article.html'];
  const { uploadFiles } = await client.upload(
    UploadFilesDocument,
    { datasetId, metadata: { 0: { category: 'guide' } } },
    await Promise.all(names.map(document)),
  );
  for (const file of uploadFiles.files) show(`${file.originalName} is file ${file.fileId}`);

  step('List the files, over both transports');
  const listed = await client.rest<{ files: UploadedFile[] }>(
    'GET',
    `/files?datasetId=${datasetId}`,
  );
  const { files } = await client.graphql(FilesDocument, { datasetId, first: 10 });
  show(listed.files.map(({ originalName }) => originalName).join(', '));
  assert.equal(listed.files.length, 5);
  assert.deepEqual(
    files?.nodes.map(({ fileId }) => fileId),
    listed.files.map(({ fileId }) => fileId),
  );

  step('Get one file and download it');
  const [word] = uploaded.files;
  assert(word);
  const { file } = await client.graphql(FileDocument, { datasetId, fileId: word.fileId });
  const download = await fetch(file?.permanentUrl ?? '');
  const bytes = Buffer.from(await download.arrayBuffer());
  show(`${download.headers.get('content-disposition')}: ${bytes.length} bytes`);
  assert(bytes.equals(Buffer.from(await (await document('warranty-handbook.docx')).arrayBuffer())));

  step(`Search: ${QUESTION}`);
  const { search } = await client.graphql(SearchDocument, {
    datasetId,
    question: QUESTION,
    limit: 3,
  });
  for (const hit of search ?? []) show(`${hit.score.toFixed(3)}  ${hit.originalName}`);
  assert.equal(search?.[0]?.originalName, 'warranty-handbook.docx');

  step('The same, only in guides');
  const filters = [{ key: 'category', match: { value: 'guide' } }];
  const guides = await client.rest<{ data: { metadata: UploadedFile }[] }>('POST', '/search', {
    datasetId,
    question: QUESTION,
    filters,
  });
  for (const { metadata } of guides.data) show(metadata.originalName);
  assert(guides.data.length > 0);
  assert(guides.data.every(({ metadata }) => metadata.originalName === 'user-guide.md'));

  step('Ask, and read the answer as it is written: REST');
  let answer = '';
  for await (const delta of client.answers({ datasetId, question: QUESTION })) {
    show(delta);
    answer += delta;
  }
  assert.match(answer, ANSWER);

  step('Ask, and read the answer as it is written: GraphQL');
  for await (const { askQuestion } of client.subscribe(AskQuestionDocument, {
    datasetId,
    question: QUESTION,
  })) {
    if ('sources' in askQuestion) show(`from ${askQuestion.sources.length} chunks`);
    if ('delta' in askQuestion) show(askQuestion.delta);
    if ('result' in askQuestion) assert.match(askQuestion.result, ANSWER);
  }

  step('Ask for the whole answer: what was the revenue?');
  const { answerQuestion } = await client.graphql(AnswerQuestionDocument, {
    datasetId,
    question: 'How much revenue was there?',
  });
  show(answerQuestion.result);
  assert.match(answerQuestion.result, /218/);

  step('Ask what no document says');
  const unknown = await client.rest<{ data: { result: string } }>('POST', '/query', {
    datasetId,
    question: 'Who won the chess tournament on Mars?',
    stream: false,
  });
  show(unknown.data.result);

  step('Make a frontend token: it needs no dataset id, and sees no other dataset');
  const { token } = await client.rest<{ token: string }>('POST', '/tokens/create', {
    datasetId,
    ttlSeconds: 60,
  });
  const frontend = createDemoClient({ urls, credential: token });
  const own = await frontend.rest<{ files: UploadedFile[] }>('GET', '/files');
  show(`${own.files.length} files with the token`);
  assert.equal(own.files.length, 5);
  await assert.rejects(frontend.rest('GET', '/files?datasetId=another'), /403 .*mismatch/);

  step('Delete the Word document, and ask again');
  await client.graphql(DeleteFileDocument, { datasetId, fileId: word.fileId });
  const after = await client.rest<{ data: { metadata: UploadedFile }[] }>('POST', '/search', {
    datasetId,
    question: QUESTION,
  });
  assert(after.data.every(({ metadata }) => metadata.originalName !== 'warranty-handbook.docx'));
  const gone = await fetch(file?.permanentUrl ?? '');
  show(`its download link now answers ${gone.status}`);
  assert(!gone.ok);

  step('Purge the dataset');
  const { purgeDataset } = await client.graphql(PurgeDatasetDocument, {
    purgeDatasetId: datasetId,
  });
  show(`${purgeDataset.deleted} files deleted`);
  assert.equal(purgeDataset.deleted, 4);

  const { viewer } = await client.graphql(ViewerDocument, {});
  step(`All done; ${viewer?.credits ?? 'unmetered'} credits left.`);
}

async function document(name: string): Promise<File> {
  return new File([await readFile(new URL(name, DOCUMENTS))], name);
}
