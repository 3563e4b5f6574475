import type { Client } from './client.ts';
import { KEY, startOpenAiDouble } from './openai-double.ts';
import { type Running, run } from './process.ts';
import { restTransport } from './rest-transport.ts';
import { resultOf } from './transport.ts';

const moved = { datasetId: 'moved' };
const PARAGRAPHS = 1_200;

/** A dataset of some 600 chunks that is reindexed with another model by a process that is killed. */
export async function createReindexing(settings: Record<string, string>) {
  const models = await startOpenAiDouble();
  const other = {
    ...settings,
    OPENAI_BASE_URL: models.url,
    OPENAI_API_KEY: KEY,
    CHAT_MODEL: 'offline',
    EMBEDDING_MODEL: 'text-embedding-3-small',
  };

  return {
    /** Stores what is reindexed: one file. */
    async upload(me: Client): Promise<void> {
      const text = Array.from({ length: PARAGRAPHS }, (_, n) => `Paragraph ${n}: the owl is old.`);
      const files = { 'owl.txt': text.join('\n\n') };
      resultOf(await restTransport.upload(me, { ...moved, files, chunkSize: 20, chunkOverlap: 0 }));
    },

    /** Begins to reindex, in a process of its own. */
    start: (): Running =>
      run('src/cli/main.ts', ['reindex', '--dataset', moved.datasetId], { ...other }),

    /** @returns what is wrong once the dataset is back with the model of the gateway */
    async judge(me: Client): Promise<string[]> {
      const question = 'Which paragraph is 777?';
      const hits = resultOf(await restTransport.search(me, { ...moved, question, mode: 'hybrid' }));
      const isFound = hits.some(({ pageContent }) => pageContent.includes('Paragraph 777:'));
      return isFound ? [] : ['not found after a reindex'];
    },

    close: () => models.close(),
  };
}
