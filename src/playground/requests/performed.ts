import type { Filter } from '../../client/types.ts';
import {
  AskQuestionDocument,
  type AskQuestionInput,
  DeleteFileDocument,
  FileDocument,
  FilesDocument,
  UploadFilesDocument,
} from '../../generated/playground.ts';
import { callAsk, callDelete, callGet, callList, callUpload } from './client-calls.ts';

/** An action of the page, in a form that can be repeated elsewhere. */
export interface Performed {
  /** Such as `Asked`. */
  title: string;
  document: string;
  variables: Record<string, unknown>;
  /** The names of files that were sent. */
  fileNames: string[];
  /** Statements for a `client` of `filequery/client`. */
  clientCall: string;
}

type Input = Record<string, unknown>;

export function listed(variables: Input): Performed {
  return performed('Listed files', FilesDocument, variables, callList(variables));
}

export function opened(variables: Input): Performed {
  return performed('Opened a file', FileDocument, variables, callGet(variables));
}

export function deleted(input: Input): Performed {
  return performed('Deleted a file', DeleteFileDocument, { input }, callDelete(input));
}

export function uploaded(input: Input, fileName: string): Performed {
  const call = callUpload(input, fileName);
  const variables = { input: { ...input, files: [null] } };
  return {
    ...performed('Uploaded a file', UploadFilesDocument, variables, call),
    fileNames: [fileName],
  };
}

/** @param filters those of the input, in the form of the client */
export function asked(
  { idempotencyKey: _, ...input }: AskQuestionInput,
  filters: Filter[],
): Performed {
  return performed('Asked', AskQuestionDocument, { input }, callAsk(input, filters));
}

function performed(
  title: string,
  document: { toString(): string },
  variables: Record<string, unknown>,
  clientCall: string,
): Performed {
  return {
    title,
    document: tidy(String(document)),
    variables: given(variables),
    fileNames: [],
    clientCall,
  };
}

/** Code generators indent the first lines of their texts. */
function tidy(document: string): string {
  return document.replace(/^ {4}(?=fragment|query|mutation|subscription)/gm, '').trim();
}

/** Without what is undefined or empty. */
function given(variables: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(variables, (_, value) =>
      Array.isArray(value) && value.length === 0 ? undefined : value,
    ),
  );
}
