import { observe, observeEach, type StatusOf } from '../core/observe.ts';
import type { ModelCall, Observer } from '../core/observer.ts';
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
        report('rewrite', answers, signal, () => answers.rewrite(followUp, signal)),
    },
    embeddings: {
      ...embeddings,
      embedQuestion: (question, signal) =>
        report('embed-question', embeddings, signal, () =>
          embeddings.embedQuestion(question, signal),
        ),
      embedTexts: (texts, signal) =>
        report('embed-texts', embeddings, signal, () => embeddings.embedTexts(texts, signal)),
    },
    transcriber: transcriber && {
      ...transcriber,
      transcribe: (file, kind, signal) =>
        report('transcribe', transcriber, signal, () => transcriber.transcribe(file, kind, signal)),
    },
    recognizer: recognizer && {
      ...recognizer,
      recognize: (image, signal) =>
        report('recognize', recognizer, signal, () => recognizer.recognize(image, signal)),
    },
  };

  function report<T>(
    name: ModelCall,
    { name: model }: { name: string },
    signal: AbortSignal | undefined,
    run: () => Promise<T>,
  ): Promise<T> {
    const work = { kind: 'model', name, model } as const;
    return observe(observer, work, run, { statusOf: statusFor(signal) });
  }
}

function statusFor(signal: AbortSignal | undefined): StatusOf {
  return (failure) => {
    if (signal?.aborted) return 'aborted';
    return failure ? 'failed' : 'ok';
  };
}
