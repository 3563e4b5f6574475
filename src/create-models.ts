import type { ModelChoices } from './choose-models.ts';
import { OperatorError } from './core/errors.ts';
import type { Log } from './log.ts';
import type { AnswerModel, EmbeddingModel } from './ports/language-model.ts';

/**
 * The models that were chosen. What a model needs is loaded only for it.
 *
 * @param prove whether a model that can never do stops the start; one that is away does not
 * @throws OperatorError naming the setting
 */
export async function createModels(
  { answers, embeddings, patience }: ModelChoices,
  { log, prove }: { log: Log; prove: boolean },
) {
  const models = {
    answers: await createAnswers(answers, patience),
    embeddings: await createEmbeddings(embeddings, patience),
  };
  if (prove) await proveEmbeddings(models.embeddings, log);
  return models;
}

async function createAnswers(
  choice: ModelChoices['answers'],
  patience: number,
): Promise<AnswerModel> {
  switch (choice.kind) {
    case 'offline': {
      const { createExtractiveAnswers } = await import('./adapters/offline/extractive-answers.ts');
      return createExtractiveAnswers();
    }
    case 'openai': {
      const { createOpenAiAnswers } = await import('./adapters/models/openai-answers.ts');
      return createOpenAiAnswers({ ...choice, patience });
    }
    case 'langchain': {
      const { createLangChainAnswers } = await import('./adapters/models/langchain-answers.ts');
      return createLangChainAnswers({ ...choice, patience });
    }
  }
}

async function createEmbeddings(
  choice: ModelChoices['embeddings'],
  patience: number,
): Promise<EmbeddingModel> {
  switch (choice.kind) {
    case 'offline': {
      const { createLexicalEmbeddings } = await import('./adapters/offline/lexical-embeddings.ts');
      return createLexicalEmbeddings();
    }
    case 'openai': {
      const { createOpenAiEmbeddings } = await import('./adapters/models/openai-embeddings.ts');
      return createOpenAiEmbeddings({ ...choice, patience });
    }
  }
}

/** How many dimensions its vectors have, only the model itself can tell. */
async function proveEmbeddings(embeddings: EmbeddingModel, log: Log): Promise<void> {
  try {
    await embeddings.check();
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    log.warn({ reason: (error as Error).message }, 'the embedding model does not answer yet');
  }
}
