import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newCustomer } from '../support/client.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';
import { multipartForm, sendForm } from '../support/graphql.ts';
import { filesBelow } from '../support/storages.ts';

const UPLOAD = `mutation ($files: [Upload!]!) {
  uploadFiles(input: { datasetId: "docs", files: $files }) { billed { fileCount } }
}`;

let gateway: TestGateway;
let me: Awaited<ReturnType<typeof newCustomer>>;

beforeAll(async () => {
  gateway = await shareGateway();
  me = await newCustomer(gateway, '1000');
});
afterEach(async () => {
  expect(await filesBelow(join(gateway.dataDir, 'incoming'))).toEqual([]);
});
afterAll(() => gateway.close());

describe('an Upload is a file of the request, and nothing that pretends to be one:', () => {
  const pretender = {
    originalName: 'passwd',
    mimeType: 'text/plain',
    path: '/etc/passwd',
    size: 9,
  };
  it.each([
    ['an object', pretender],
    ['an object in JSON', JSON.stringify(pretender)],
    ['a path', '/etc/passwd'],
    ['null', null],
    ['a list', ['/etc/passwd']],
  ])('%s', async (_, file) => {
    const { body } = await me.graphql<unknown, { files: unknown[] }>(UPLOAD, { files: [file] });
    expect(body.errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT' } }]);
    expect(body.data).toBeUndefined();
  });

  it('a text in the document', async () => {
    const { errors } = await me.graphql(
      'mutation { uploadFiles(input: { datasetId: "docs", files: ["/etc/passwd"] }) { billed { fileCount } } }',
    );
    expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
  });
});

describe('a multipart request is refused with', () => {
  const operations = JSON.stringify({
    query: UPLOAD,
    variables: { files: [null], note: 'not a place' },
  });
  const map = '{"0": ["variables.files.0"]}';
  const files = [{ name: 'a.txt', content: 'Apples.' }];

  it.each<[string, Parameters<typeof multipartForm>[0], string]>([
    ['no operations', { map, files }, 'A multipart request needs the field operations'],
    ['no map', { operations, files }, 'A multipart request needs the field map'],
    [
      'operations that are no JSON',
      { operations: '{', map, files },
      'The field operations must be a JSON object',
    ],
    [
      'a batch of operations',
      { operations: `[${operations}]`, map, files },
      'The field operations must be a JSON object',
    ],
    [
      'a map that is a list',
      { operations, map: '[]', files },
      'The field map must be a JSON object',
    ],
    [
      'a map that is null',
      { operations, map: 'null', files },
      'The field map must be a JSON object',
    ],
    [
      'a map that names no file',
      { operations, map: '{"1": ["variables.files.0"]}', files },
      'map names no file of this request: 1',
    ],
    [
      'places that are no list',
      { operations, map: '{"0": "variables.files.0"}', files },
      'map must give a list of paths for each file',
    ],
    [
      'a place that is not there',
      { operations, map: '{"0": ["variables.files.1"]}', files },
      'map leads to no place for a file: variables.files.1',
    ],
    [
      'a place that is taken',
      { operations, map: '{"0": ["variables.note"]}', files },
      'map leads to no place for a file: variables.note',
    ],
    [
      'the query for a place',
      { operations, map: '{"0": ["query"]}', files },
      'map leads to no place for a file: query',
    ],
    [
      'a place in what every object has',
      { operations, map: '{"0": ["__proto__.polluted"]}', files },
      'map leads to no place for a file: __proto__.polluted',
    ],
    [
      'a place twice',
      { operations, map: '{"0": ["variables.files.0", "variables.files.0"]}', files },
      'map leads to no place for a file: variables.files.0',
    ],
  ])('%s', async (_, form, message) => {
    const { status, body, headers } = await sendForm(me, multipartForm(form));
    expect(status).toBe(400);
    expect(body).toEqual({
      errors: [
        {
          message,
          extensions: {
            code: 'INVALID_INPUT',
            reason: message,
            requestId: headers.get('x-request-id'),
          },
        },
      ],
    });
  });

  it('more than twenty files', async () => {
    const many = Array.from({ length: 21 }, (_, at) => ({ name: `${at}.txt`, content: 'Text.' }));
    const { status, errors } = await sendForm(me, multipartForm({ operations, map, files: many }));
    expect(status).toBe(400);
    expect(errors).toMatchObject([{ message: 'file: at most 20 at once' }]);
  });

  it('operations of more than a MiB', async () => {
    const long = operations.padEnd(1024 ** 2 + 1, ' ');
    const { status, errors } = await sendForm(me, multipartForm({ operations: long, map, files }));
    expect(status).toBe(413);
    expect(errors).toMatchObject([{ extensions: { code: 'BODY_TOO_LARGE' } }]);
  });

  it('a body that ends in the middle', async () => {
    const whole = await new Response(multipartForm({ operations, map, files })).text();
    const [boundary = ''] = /^--\S+/.exec(whole) ?? [];
    const response = await me.raw('POST', '/graphql', whole.slice(0, -boundary.length - 20), {
      headers: { 'content-type': `multipart/form-data; boundary=${boundary.slice(2)}` },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [{ message: 'The multipart body is broken' }],
    });
  });
});
