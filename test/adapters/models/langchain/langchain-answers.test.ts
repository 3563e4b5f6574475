import { MODEL_PROVIDER_CONFIG } from 'langchain/chat_models/universal';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLangChainAnswers } from '../../../../src/adapters/models/langchain/langchain-answers.ts';
import { PROVIDERS } from '../../../../src/config/choose-models.ts';
import { ConfigurationError } from '../../../../src/core/errors.ts';
import { EMPTY_CONTEXT } from '../../../../src/use-cases/questions/prompt.ts';
import { KEY, type OpenAiDouble, startOpenAiDouble } from '../../../support/openai-double.ts';

const timeoutMs = 1000;
const prompt = {
  instructions: 'Answer only from the context.',
  message:
    'Context:\n\nDocument 1 (score 0.9000, file fox.txt):\nThe fox is quick.\n\nQuestion: Who is quick?',
  question: 'Who is quick?',
  ...EMPTY_CONTEXT,
};

let double: OpenAiDouble;

beforeAll(async () => {
  double = await startOpenAiDouble({ models: null });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await double.close();
});

test('a package that is not installed is one line that names it', async () => {
  const creating = createLangChainAnswers({ model: 'ollama:llama3', timeoutMs });
  await expect(creating).rejects.toThrow(
    new ConfigurationError(
      'CHAT_MODEL: ollama:llama3: needs a package: npm install @langchain/ollama',
    ),
  );
});

test('what a package lacks is one line of its own', async () => {
  vi.stubEnv('AZURE_OPENAI_API_KEY', undefined);
  const creating = createLangChainAnswers({ model: 'azure_openai:gpt-4.1-mini', timeoutMs });
  await expect(creating).rejects.toThrow(/^CHAT_MODEL: azure_openai:gpt-4.1-mini: .*\w$/);
  await expect(creating).rejects.toBeInstanceOf(ConfigurationError);
});

test('a provider answers, with what its package reads from the environment', async () => {
  vi.stubEnv('AZURE_OPENAI_API_KEY', KEY);
  vi.stubEnv('AZURE_OPENAI_API_VERSION', '2024-10-21');
  vi.stubEnv('AZURE_OPENAI_API_DEPLOYMENT_NAME', 'mini');
  vi.stubEnv('AZURE_OPENAI_BASE_PATH', double.url.replace('/v1', '/openai/deployments'));
  const answers = await createLangChainAnswers({ model: 'azure_openai:gpt-4.1-mini', timeoutMs });
  await answers.check();
  let text = '';
  for await (const piece of answers.answer(prompt, new AbortController().signal)) text += piece;
  expect(text).toBe('The fox is quick. (fox.txt)');
  expect(double.requests[0]?.path).toBe('/openai/deployments/mini/chat/completions');

  double.fail('chat', 'silent');
  const failing = answers.answer(prompt, new AbortController().signal);
  await expect(Array.fromAsync(failing)).rejects.toThrow(
    'CHAT_MODEL: azure_openai:gpt-4.1-mini failed: it sent nothing for 1 seconds',
  );

  double.behave({ end: 'content_filter' });
  const filtered = answers.answer(prompt, new AbortController().signal);
  await expect(Array.fromAsync(filtered)).rejects.toThrow(
    'CHAT_MODEL: azure_openai:gpt-4.1-mini failed: a content filter cut its answer off',
  );
});

test('the providers are those that LangChain has a package of their own for', () => {
  // `openai` is what no prefix means, `mistral` is mistralai and also the name of a model of Ollama.
  const others = ['openai', 'mistral', 'langsmith'];
  const known = Object.keys(MODEL_PROVIDER_CONFIG).filter((name) => !others.includes(name));
  expect([...PROVIDERS].sort()).toEqual(known.sort());
});
