import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { AppError, invalidInput } from '../core/errors.ts';
import { isJsonObject } from '../core/is-json-object.ts';
import { LIMITS } from '../core/limits.ts';
import { asObject, readJsonValue } from '../http/read-json.ts';
import type { MultipartForm } from '../http/read-multipart.ts';
import type { ReceiveUpload } from '../http/receive-upload.ts';
import type { ServerContext } from './context.ts';

export interface RequestBodiesOptions {
  /** Authenticates the caller. Throws if the credential is invalid. */
  identify: (server: ServerContext) => Promise<void>;
  receiveUpload: ReceiveUpload;
}

/**
 * Reads request bodies: JSON up to its size limit, and multipart requests, whose files are written
 * to disk. (Yoga's own parsers keep the whole body in memory.) Other types are not read.
 */
export function useRequestBodies({
  identify,
  receiveUpload,
}: RequestBodiesOptions): Plugin<object, ServerContext> {
  const forms = new WeakMap<Request, MultipartForm>();
  return {
    onRequestParse({ request, requestParser: readUrl, setRequestParser, serverContext }) {
      if (request.method !== 'POST') {
        if (readUrl) setRequestParser((from) => readParameters(() => readUrl(from), serverContext));
        return;
      }
      setRequestParser(async () => {
        const { call } = serverContext;
        await identify(serverContext);
        try {
          if (!isMultipart(request)) {
            const { jsonBodyBytes, anonymousBodyBytes } = LIMITS;
            const body = await readJsonValue(
              request,
              call.principal ? jsonBodyBytes : anonymousBodyBytes,
            );
            if (Array.isArray(body)) invalidInput(NO_BATCHES);
            return asObject(body);
          }
          const form = await receiveUpload(request, call, {});
          forms.set(request, form);
          return readOperation(form);
        } catch (error) {
          throw serverContext.requestError(error);
        }
      });
    },
    async onResponse({ request }) {
      await forms.get(request)?.discard();
    },
  };
}

const NO_BATCHES = 'Batches are not answered: send one operation in each request';

/** Reads the parameters of a URL. `variables` and `extensions` must be JSON. */
async function readParameters<T>(
  read: () => T,
  { requestError }: ServerContext,
): Promise<Awaited<T>> {
  try {
    return await read();
  } catch {
    const reason = 'variables and extensions must be JSON objects';
    throw requestError(new AppError('INVALID_INPUT', { reason }));
  }
}

function isMultipart(request: Request): boolean {
  return /^multipart\/form-data/i.test(request.headers.get('content-type') ?? '');
}

/**
 * Reads the operation of a multipart request, and inserts the files into its variables.
 *
 * Source: https://github.com/jaydenseric/graphql-multipart-request-spec
 */
function readOperation({ fields, files }: MultipartForm): GraphQLParams {
  const operation = parseField(fields, 'operations');
  const map = parseField(fields, 'map');
  const byField = new Map(files.map(({ field, file }) => [field, file]));
  for (const [field, paths] of Object.entries(map)) {
    const file = byField.get(field);
    if (!file) invalidInput(`map names no file of this request: ${field}`);
    if (!Array.isArray(paths)) invalidInput('map must give a list of paths for each file');
    for (const path of paths) putAt(operation, String(path).split('.'), file);
  }
  return operation;
}

function parseField(fields: Map<string, string>, name: string): Record<string, unknown> {
  const text = fields.get(name);
  if (text === undefined) invalidInput(`A multipart request needs the field ${name}`);
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // Rejected below.
  }
  return invalidInput(`The field ${name} must be a JSON object`);
}

/** Replaces the null at a path with a file. */
function putAt(root: Record<string, unknown>, path: string[], file: unknown): void {
  const last = path.at(-1) ?? '';
  let parent: unknown = root;
  for (const key of path.slice(0, -1)) parent = isContainer(parent) ? own(parent, key) : undefined;
  if (!isContainer(parent) || own(parent, last) !== null) {
    invalidInput(`map leads to no place for a file: ${path.join('.')}`);
  }
  parent[last] = file;
}

function own(container: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(container, key) ? container[key] : undefined;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
