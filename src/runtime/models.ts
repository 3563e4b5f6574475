import type { ModelChoices } from '../config/choose-models.ts';
import { ConfigurationError } from '../core/errors.ts';
import type { AnswerModel, EmbeddingModel } from '../ports/language-model.ts';
import type { Log } from '../ports/log.ts';
import type { TextRecognizer } from '../ports/text-recognizer.ts';
import type { Transcriber } from '../ports/transcriber.ts';

/**
 * Creates the chosen models. Their libraries are loaded only when needed.
 *
 * @param checkAtStart whether a model that cannot work prevents the start; an unavailable one never does
 * @throws ConfigurationError naming the setting
 */
export async function openModels(
  { answers, embeddings, transcription, recognition, timeoutMs }: ModelChoices,
  { log, checkAtStart }: { log: Log; checkAtStart: boolean },
) {
  const models = {
    answers: await createAnswers(answers, timeoutMs),
    embeddings: await createEmbeddings(embeddings, timeoutMs),
    transcriber: await createTranscriber(transcription),
    recognizer: await createRecognizer(recognition),
  };
  const { embeddings: embedder, transcriber, recognizer } = models;
  if (checkAtStart) await checkModels([embedder, transcriber, recognizer], log);
  return models;
}

async function createAnswers(
  choice: ModelChoices['answers'],
  timeoutMs: number,
): Promise<AnswerModel> {
  switch (choice.kind) {
    case 'offline': {
      const { createExtractiveAnswers } = await import(
        '../adapters/models/offline/extractive-answers.ts'
      );
      return createExtractiveAnswers();
    }
    case 'openai': {
      const { createOpenAiAnswers } = await import('../adapters/models/openai/openai-answers.ts');
      return createOpenAiAnswers({ ...choice, timeoutMs });
    }
    case 'langchain': {
      const { createLangChainAnswers } = await import(
        '../adapters/models/langchain/langchain-answers.ts'
      );
      return createLangChainAnswers({ ...choice, timeoutMs });
    }
  }
}

async function createEmbeddings(
  choice: ModelChoices['embeddings'],
  timeoutMs: number,
): Promise<EmbeddingModel> {
  switch (choice.kind) {
    case 'offline': {
      const { createLexicalEmbeddings } = await import(
        '../adapters/models/offline/lexical-embeddings.ts'
      );
      return createLexicalEmbeddings();
    }
    case 'openai': {
      const { createOpenAiEmbeddings } = await import(
        '../adapters/models/openai/openai-embeddings.ts'
      );
      return createOpenAiEmbeddings({ ...choice, timeoutMs });
    }
  }
}

async function createTranscriber(
  choice: ModelChoices['transcription'],
): Promise<Transcriber | undefined> {
  if (choice.kind === 'none') return undefined;
  const { createOpenAiTranscriber } = await import(
    '../adapters/models/openai/openai-transcriber.ts'
  );
  return createOpenAiTranscriber(choice);
}

async function createRecognizer(
  choice: ModelChoices['recognition'],
): Promise<TextRecognizer | undefined> {
  if (choice.kind === 'none') return undefined;
  const { createOpenAiRecognizer } = await import('../adapters/models/openai/openai-recognizer.ts');
  return createOpenAiRecognizer(choice);
}

/** Finds what settings do not show: the dimensions of the model's vectors, and whether ffmpeg is installed. */
async function checkModels(
  models: (EmbeddingModel | Transcriber | TextRecognizer | undefined)[],
  log: Log,
): Promise<void> {
  const checks = await Promise.allSettled(models.map((model) => model?.check()));
  for (const check of checks) {
    if (check.status === 'fulfilled') continue;
    if (check.reason instanceof ConfigurationError) throw check.reason;
    log.warn({ reason: (check.reason as Error).message }, 'a model does not answer yet');
  }
}
