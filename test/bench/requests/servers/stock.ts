import { createServer } from 'node:http';
import { PGVectorStore } from '@langchain/community/vectorstores/pgvector';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import express from 'express';
import { Pool } from 'pg';
import { hashApiKey } from '../../../../src/use-cases/accounts/authenticate.ts';
import { serveWhenAsked } from '../processes.ts';
import { STOCK_TABLE } from '../seed.ts';
import { listening } from './listening.ts';

/* What people would write instead: Express, and LangChain's parts as their pages show them. */

const PROMPT = ChatPromptTemplate.fromMessages([
  ['system', 'Answer only from the context. If it is not enough, say that you do not know.'],
  ['human', 'Context:\n\n{context}\n\nQuestion: {question}'],
]);

serveWhenAsked(async ({ connection, modelUrl }) => {
  const pool = new Pool({ ...connection, max: 10 });
  const configuration = { baseURL: modelUrl };
  const embeddings = new OpenAIEmbeddings({
    model: 'text-embedding-3-small',
    apiKey: 'none',
    configuration,
  });
  const llm = new ChatOpenAI({ model: 'gpt-4.1-mini', apiKey: 'none', configuration });
  const store = await PGVectorStore.initialize(embeddings, {
    pool,
    tableName: STOCK_TABLE,
    distanceStrategy: 'cosine',
    dimensions: 1536,
  });
  const chain = PROMPT.pipe(llm);

  const app = express();
  app.use(express.json());
  app.use(async (request, response, next) => {
    const key = request.headers.authorization?.slice('Bearer '.length) ?? '';
    const { rows } = await pool.query('SELECT customer_key FROM api_key WHERE hash = $1', [
      hashApiKey(key),
    ]);
    response.locals['customer'] = rows[0]?.customer_key;
    if (rows.length > 0) next();
    else response.status(401).json({ error: 'Invalid API key' });
  });

  app.get('/v1/files', async ({ query }, response) => {
    const { rows } = await pool.query(
      'SELECT * FROM file WHERE customer_key = $1 AND dataset_id = $2 ORDER BY created DESC, id DESC',
      [response.locals['customer'], query['datasetId']],
    );
    response.json({ success: true, files: rows });
  });

  app.get('/v1/files/:fileId', async ({ query, params }, response) => {
    const { rows } = await pool.query(
      'SELECT * FROM file WHERE customer_key = $1 AND dataset_id = $2 AND id = $3',
      [response.locals['customer'], query['datasetId'], params.fileId],
    );
    response.json({ success: true, file: rows[0] });
  });

  app.post('/v1/search', async ({ body }, response) => {
    await charge(response.locals['customer']);
    const { datasetId, question } = body;
    const hits = await store.similaritySearchWithScore(question, 8, { datasetId });
    const data = hits.map(([{ pageContent, metadata }, score]) => ({
      score,
      pageContent,
      metadata,
    }));
    response.json({ success: true, data });
  });

  app.post('/v1/query', async ({ body }, response) => {
    await charge(response.locals['customer']);
    const { datasetId, question, stream = true } = body;
    const sources = await store.similaritySearch(question, 8, { datasetId });
    const context = sources.map(({ pageContent }) => pageContent).join('\n\n');
    if (!stream) {
      const { text: result } = await chain.invoke({ context, question });
      response.json({ success: true, data: { result, sources } });
      return;
    }
    response.setHeader('content-type', 'text/event-stream');
    for await (const { text: delta } of await chain.stream({ context, question })) {
      response.write(`data: ${JSON.stringify({ delta })}\n\n`);
    }
    response.end('data: {"done":true}\n\n');
  });

  async function charge(customer: number): Promise<void> {
    const { rowCount } = await pool.query(
      'UPDATE balance SET credits = credits - 0.1 WHERE customer_key = $1 AND credits >= 0.1',
      [customer],
    );
    if (rowCount === 0) throw new Error('no credits are left');
  }

  return listening(createServer(app));
});
