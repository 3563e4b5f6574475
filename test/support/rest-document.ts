import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { VERSION } from '../../src/config/version.ts';
import { memoize } from '../../src/core/memoize.ts';
import { PRICES } from '../../src/core/policy.ts';
import { createDocument } from '../../src/rest/openapi/document.ts';
import type { Reply } from './reply.ts';

interface Described {
  headers?: Record<string, { required?: boolean; schema: object }>;
  content: Record<string, unknown>;
}

/** The document of a gateway with the default prices. */
export const document = memoize(() => createDocument({ version: VERSION, prices: PRICES }));

/** Whether a value is what a part of the document describes, by its pointer. */
export function isAsDescribed(value: unknown, ...pointer: (string | number)[]): boolean {
  try {
    checks()(...pointer)(value);
    return true;
  } catch {
    return false;
  }
}

/** The checks of the document's schemas, each compiled when it is first needed. */
const checks = memoize(() => {
  const ajv = new Ajv2020({ allowUnionTypes: true, strict: false });
  formats.default(ajv);
  ajv.addSchema(closed(document()), 'document');
  const compiled = new Map<string, ValidateFunction>();
  return (...pointer: (string | number)[]) => {
    const path = pointer.map(inPointer).join('/');
    const known = compiled.get(path) ?? ajv.compile({ $ref: `document#/${path}` });
    compiled.set(path, known);
    return (value: unknown) => {
      if (!known(value)) {
        throw new Error(
          `${path}: ${ajv.errorsText(known.errors)}\n${JSON.stringify(value).slice(0, 2000)}`,
        );
      }
    };
  };
});

/** Paths of the document with what they match, in the order in which they are to be tried. */
const paths = memoize(() => {
  const named = Object.keys(document()['paths'] as object);
  return named
    .toSorted((one, other) => one.split('{').length - other.split('{').length)
    .map((path) => ({ path, matches: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));
});

/**
 * Checks the reply of a REST route against what the OpenAPI document says of it.
 *
 * @param path below /v1
 * @throws Error that names the part of the document
 */
export function checkReply(method: string, path: string, { status, headers, body }: Reply): void {
  const [pathname = ''] = path.split('?', 1);
  const route = paths().find(({ matches }) => matches.test(`/v1${pathname}`))?.path;
  const at = ['paths', route ?? '', method.toLowerCase()];
  const operation = route && read(...at);
  // Another protocol has its address, or nothing has.
  if (!operation) return;
  const response = read(...at, 'responses', status) as Described | undefined;
  if (!response) throw new Error(`${method} ${route}: no response ${status} is described`);
  for (const [name, { required }] of Object.entries(response.headers ?? {})) {
    const value = headers.get(name);
    if (value === null && !required) continue;
    const number = /^\d+$/.test(value ?? '') ? Number(value) : value;
    checks()(...at, 'responses', status, 'headers', name, 'schema')(number);
  }
  const [type = ''] = headers.get('content-type')?.split(';') ?? [];
  if (!response.content[type]) {
    throw new Error(`${method} ${route}, ${status}: no content ${type} is described`);
  }
  const check = checks()(...at, 'responses', status, 'content', type, 'schema');
  if (type === 'application/json') check(body);
  else
    for (const message of String(body).matchAll(/^data: (.*)$/gm))
      check(JSON.parse(message[1] ?? ''));
}

function read(...pointer: (string | number)[]): unknown {
  return pointer.reduce<unknown>(
    (part, name) => (part as Record<string, unknown> | undefined)?.[name],
    document(),
  );
}

function inPointer(name: string | number): string {
  return encodeURIComponent(String(name).replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** With objects that have no other members than those described. Clients must expect others. */
function closed(part: unknown): object {
  return JSON.parse(JSON.stringify(part), (_, value) =>
    value?.type === 'object' && value.properties && value.additionalProperties === undefined
      ? { ...value, additionalProperties: false }
      : value,
  );
}
