import type { Asked } from './load.ts';
import { ASKED, LISTS } from './seed.ts';

export type ServerName = 'filequery' | 'floor' | 'alike' | 'stock' | 'mercurius' | 'citus';

/** One kind of request, and who can be asked. */
export interface Case {
  name: string;
  method: Asked['method'];
  path: string;
  body?: object;
  of: ServerName[];
  /** What an answer must have. */
  has: string;
}

const REST: ServerName[] = ['filequery', 'floor', 'stock', 'citus'];
const QUESTIONS: ServerName[] = [...REST, 'alike'];
const GRAPHQL: ServerName[] = ['filequery', 'mercurius', 'citus'];
const QUESTION = { datasetId: ASKED, question: 'How does the gateway keep a file?' };

const FILES = `query Files($datasetId: ID!) {
  files(datasetId: $datasetId, first: 100) {
    nodes { fileId originalName mimeType size createdAt extension extraMeta }
    pageInfo { hasNextPage endCursor }
  }
}`;
const ANSWER = `mutation Ask($input: AskQuestionInput!) {
  answerQuestion(input: $input) { result sources { score pageContent metadata } }
}`;

export function casesOf(fileId: string): Case[] {
  const graphql = (name: string, query: string, variables: object, has: string): Case => ({
    ...{ name: `GraphQL ${name}`, method: 'POST', path: '/graphql' },
    ...{ body: { query, variables }, of: GRAPHQL, has },
  });
  const ask = (name: string, path: string, body: object, has: string, of = QUESTIONS): Case => ({
    ...{ name, method: 'POST', path, body: { ...QUESTION, ...body }, of, has },
  });
  return [
    ...LISTS.map(
      (count): Case => ({
        name: `list ${count.toLocaleString('en')} files`,
        ...{ method: 'GET', path: `/v1/files?datasetId=list-${count}`, of: REST },
        has: `report-${count}.pdf`,
      }),
    ),
    {
      ...{ name: 'get a file', method: 'GET', of: REST, has: fileId },
      path: `/v1/files/${fileId}?datasetId=list-${LISTS[0]}`,
    },
    ask('search', '/v1/search', {}, 'pageContent', REST),
    ask('query, JSON', '/v1/query', { stream: false }, 'sentence.'),
    ask('query, SSE', '/v1/query', {}, '{"done":true}'),
    graphql('files(first: 100)', FILES, { datasetId: `list-${LISTS[1]}` }, 'report-100.pdf'),
    graphql('answerQuestion', ANSWER, { input: QUESTION }, 'sentence.'),
  ];
}
