import { PERIODS } from '../../core/limits.ts';
import type { JsonObject } from '../../core/model.ts';
import { type OperationPolicy, POLICY, type Prices, RATE_WINDOWS } from '../../core/policy.ts';
import { requestSchemas } from '../../use-cases/index.ts';
import { type RestOperation, ROUTES } from '../routes.ts';
import type { Description } from './describe.ts';
import { errorResponses } from './error-responses.ts';
import * as files from './file-operations.ts';
import * as questions from './question-operations.ts';
import { componentSchemas } from './schemas.ts';
import * as tokens from './token-operations.ts';
import { uploadFiles } from './upload-operation.ts';

export interface DocumentOptions {
  version: string;
  prices: Prices;
}

/** The OpenAPI document of the routes, their validators, limits and errors. */
export function createDocument({ version, prices }: DocumentOptions): JsonObject {
  const paths = Map.groupBy(ROUTES, ([, path]) => path)
    .entries()
    .map(([path, routes]) => [
      `/v1${path.replaceAll(/:(\w+)(\{.*?\})?/g, '{$1}')}`,
      Object.fromEntries(
        routes.map(([method, , operation]) => [method.toLowerCase(), describe(operation, prices)]),
      ),
    ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'filequery',
      version,
      summary: 'Ask questions of your files.',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This gateway.' }],
    security: [{ bearer: [] }, { header: [] }],
    tags: [
      { name: 'Files', description: 'Upload, list, read and delete files.' },
      { name: 'Questions', description: 'Answers and searches.' },
      { name: 'Tokens', description: 'Credentials for browsers.' },
    ],
    paths: Object.fromEntries(paths),
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, which belongs to a customer, or a frontend token.',
        },
        header: { type: 'apiKey', in: 'header', name: 'x-easyrag-key', description: 'The same.' },
      },
    },
  };
}

const INTRODUCTION = `Files in datasets, and questions that are answered from them.

Every error is \`{"error": "..."}\`, and the header \`X-Error-Code\` names it exactly. An unknown path is answered with 404 (\`NOT_FOUND\`), a method that the path does not support with 405 (\`METHOD_NOT_ALLOWED\`). Every response has an \`X-Request-Id\`.`;

const DESCRIPTIONS: Record<RestOperation, Description> = {
  ...{ ...files, uploadFiles },
  ...questions,
  ...tokens,
};

function describe(operation: RestOperation, prices: Prices): JsonObject {
  const { tag, summary, description, parameters, body, response, errors } = DESCRIPTIONS[operation];
  const policy: OperationPolicy = POLICY[operation];
  return {
    operationId: operation,
    tags: [tag],
    summary,
    description: [description, ...costs(policy, prices)].join(' '),
    parameters: [...parameters, ...(policy.repeatable ? [IDEMPOTENCY_KEY] : [])],
    ...(body && { requestBody: body }),
    responses: {
      200: { ...response, headers: headersOf(policy) },
      ...errorResponses(operation, errors),
    },
  };
}

function* costs({ price, window }: OperationPolicy, prices: Prices): Generator<string> {
  if (price) {
    const credits = Number(prices[price]) === 1 ? 'credit' : 'credits';
    yield `Costs ${prices[price]} ${credits}${price === 'upload' ? ' for each file' : ''}.`;
  }
  if (window) yield `At most ${RATE_WINDOWS[window]} calls a minute.`;
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: `A request that is sent again with the same key is done and paid once, and gets the same response for ${PERIODS.idempotencyKeyHours} hours. Use a new UUID for each request.`,
  schema: requestSchemas().idempotencyKey,
  example: '0c5f6d8e-6f2b-4a57-9d3e-5b1a7c9e2f10',
};

function headersOf({ repeatable, window }: OperationPolicy): JsonObject {
  const count = { type: 'integer', minimum: 0 };
  return {
    ...(window && {
      'X-RateLimit-Limit': { description: 'Calls allowed a minute.', schema: count },
      'X-RateLimit-Remaining': { description: 'Calls left in this minute.', schema: count },
      'X-RateLimit-Reset': { description: 'Seconds until the minute ends.', schema: count },
    }),
    ...(repeatable && {
      'Idempotent-Replayed': {
        description: '`true` for a repeat: the response was sent before.',
        schema: { const: 'true' },
      },
    }),
  };
}
