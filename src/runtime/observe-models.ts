import { observe, observeEach, type StatusOf } from '../core/observe.ts';
import type { Observer } from '../core/observer.ts';
import type { AnswerModel, EmbeddingModel } from '../ports/language-model.ts';
import type { TextRecognizer } from '../ports/text-recognizer.ts';
import type { Transcriber } from '../ports/transcriber.ts';

interface Models {
  answers: AnswerModel;
  embeddings: EmbeddingModel;
  transcriber: Transcriber | undefined;
  recognizer: TextRecognizer | undefined;
}

/** Reports the calls of the models to an observer. Start-up checks are not reported. */
export function observeModels(models: Models, observer: Observer): Models {
  const { answers, embeddings, transcriber, recognizer } = models;
  return {
    answers: {
      ...answers,
      answer: (prompt, signal) =>
        observeEach(
          observer,
          { kind: 'model', name: 'answer', model: answers.name },
          answers.answer(prompt, signal),
          { statusOf: statusFor(signal) },
        ),
      rewrite: (followUp, signal) =>
        observe(
          observer,
          { kind: 'model', name: 'rewrite', model: answers.name },
          () => answers.rewrite(followUp, signal),
          { statusOf: statusFor(signal) },
        ),
    },
    embeddings: {
      ...embeddings,
      embedQuestion: (question, signal) =>
        observe(
          observer,
          { kind: 'model', name: 'embed-question', model: embeddings.name },
          () => embeddings.embedQuestion(question, signal),
          { statusOf: statusFor(signal) },
        ),
      embedTexts: (texts, signal) =>
        observe(
          observer,
          { kind: 'model', name: 'embed-texts', model: embeddings.name },
          () => embeddings.embedTexts(texts, signal),
          { statusOf: statusFor(signal) },
        ),
    },
    transcriber: transcriber && {
      ...transcriber,
      transcribe: (file, kind, signal) =>
        observe(
          observer,
          { kind: 'model', name: 'transcribe', model: transcriber.name },
          () => transcriber.transcribe(file, kind, signal),
          { statusOf: statusFor(signal) },
        ),
    },
    recognizer: recognizer && {
      ...recognizer,
      recognize: (image, signal) =>
        observe(
          observer,
          { kind: 'model', name: 'recognize', model: recognizer.name },
          () => recognizer.recognize(image, signal),
          { statusOf: statusFor(signal) },
        ),
    },
  };
}

function statusFor(signal: AbortSignal | undefined): StatusOf {
  return (failure) => {
    if (signal?.aborted) return 'aborted';
    return failure ? 'failed' : 'ok';
  };
}
