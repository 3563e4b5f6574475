import { createConnection, newIdempotencyKey } from '../../client/connection.ts';
import type { Credential } from '../../client/credentials.ts';
import { multipart } from '../../client/multipart.ts';
import { type Progress, sendWithProgress } from '../../client/send-with-progress.ts';
import { subscribe } from '../../client/subscribe.ts';
import {
  AskQuestionDocument,
  type AskQuestionInput,
  type AskQuestionSubscription,
  type TypedDocumentString,
  UploadFilesDocument,
  type UploadFilesInput,
  type UploadFilesMutation,
} from '../../generated/playground.ts';
import { follow } from './follow.ts';

export interface UploadOptions {
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

export type AnswerEvent = AskQuestionSubscription['askQuestion'];

export type Gateway = ReturnType<typeof createGateway>;

/**
 * GraphQL of a gateway. Every operation rejects with a `FilequeryError`, or with the reason of its
 * signal; a request that costs something is paid once, however often it is sent.
 *
 * @param url its address, without `/graphql`
 */
export function createGateway(url: string, credential: Credential) {
  const connection = createConnection({ url, credential, retries: 3 });
  return {
    execute<T, V extends object>(
      document: TypedDocumentString<T, V>,
      variables: V,
      signal?: AbortSignal,
    ): Promise<T> {
      return connection.graphql<T>(String(document), variables, signal);
    },

    /** Sends one file, and waits until it can be searched. */
    uploadFile(file: File, input: Omit<UploadFilesInput, 'files'>, options: UploadOptions) {
      const { signal, onProgress } = options;
      const idempotencyKey = newIdempotencyKey();
      const operation = {
        query: String(UploadFilesDocument),
        variables: { input: { ...input, files: [null], idempotencyKey } },
      };
      const map = { 0: ['variables.input.files.0'] };
      const fields = { operations: JSON.stringify(operation), map: JSON.stringify(map) };
      const form = multipart(fields, [file], String);
      return connection.operate<UploadFilesMutation>({
        headers: { 'content-type': form.type },
        send: sendWithProgress(form, onProgress, fetch),
        ...{ signal, idempotencyKey },
      });
    },

    async *ask(
      input: AskQuestionInput & { idempotencyKey: string },
      signal: AbortSignal,
    ): AsyncGenerator<AnswerEvent, void, undefined> {
      const data = subscribe<AskQuestionSubscription>(
        connection,
        { query: String(AskQuestionDocument), variables: { input } },
        {
          signal,
          idempotencyKey: input.idempotencyKey,
          isLast: ({ askQuestion }) => askQuestion.__typename === 'AnswerCompleted',
        },
      );
      for await (const { askQuestion } of data) yield askQuestion;
    },

    follow: follow(connection),
  };
}
