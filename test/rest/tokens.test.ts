import { randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Client, createClient, newCustomer } from '../support/client.ts';
import { faults, shareGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
let customer: Client & { customerId: string };

beforeAll(async () => {
  gateway = await shareGateway();
  customer = await newCustomer(gateway);
  await customer.upload('docs', { 'fox.txt': 'The fox is quick.' });
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => gateway.close());

async function create(body: object): Promise<string> {
  return (await customer.rest('POST', '/tokens/create', body)).body.token;
}

/** The status of a list with a credential. */
async function statusWith(credential: string): Promise<number> {
  return (await createClient(gateway, credential).rest('GET', '/files')).status;
}

describe('POST /v1/tokens/create', () => {
  test.each([
    [{ datasetId: 'docs' }, 3600],
    [{ datasetId: 'docs', ttlSeconds: null }, 3600],
    [{ datasetId: 'docs', ttlSeconds: 1 }, 1],
    [{ datasetId: 'docs', ttlSeconds: 86_400 }, 86_400],
  ])('200 for %j: an HS256 JWT with exactly our claims', async (body, ttl) => {
    const reply = await customer.rest('POST', '/tokens/create', body);
    expect(reply.status).toBe(200);
    expect(reply.body).toStrictEqual({ token: expect.any(String), expiresIn: ttl });
    const claims = decodeJwt(reply.body.token);
    expect(decodeProtectedHeader(reply.body.token).alg).toBe('HS256');
    expect(claims).toStrictEqual({
      customerId: customer.customerId,
      datasetId: 'docs',
      iat: expect.any(Number),
      exp: (claims.iat ?? 0) + ttl,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(Math.abs(Date.now() / 1000 - (claims.iat ?? 0))).toBeLessThan(60);
  });

  test('200 twice: two tokens', async () => {
    const [one, two] = [await create({ datasetId: 'docs' }), await create({ datasetId: 'docs' })];
    expect(decodeJwt(one).jti).not.toBe(decodeJwt(two).jti);
  });

  test('200 for a dataset that is not there yet: it can be filled with the token', async () => {
    const frontend = createClient(gateway, await create({ datasetId: 'später 漢字/a' }));
    const { body } = await frontend.upload(undefined, { 'fox.txt': 'The fox is quick.' });
    expect(body.files[0].datasetId).toBe('später 漢字/a');
  });
});

test('401 after its time, and 200 until then', async () => {
  const start = Date.UTC(2030, 0, 1);
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const token = await create({ datasetId: 'docs', ttlSeconds: 1 });
  vi.setSystemTime(start + 999);
  expect(await statusWith(token)).toBe(200);
  vi.setSystemTime(start + 1000);
  expect(await statusWith(token)).toBe(401);
});

describe('a token that is not ours', () => {
  interface Forgery {
    alg?: string;
    secret?: Uint8Array;
    claims?: object;
    exp?: number | undefined;
  }

  const now = Math.floor(Date.now() / 1000);
  async function forge({ alg = 'HS256', secret, claims, exp }: Forgery): Promise<string> {
    const { tokenSecret } = faults.deps;
    const own = { customerId: customer.customerId, datasetId: 'docs', jti: randomUUID() };
    const jwt = new SignJWT({ ...own, ...claims }).setProtectedHeader({ alg }).setIssuedAt(now);
    if (exp !== undefined) jwt.setExpirationTime(exp);
    return jwt.sign(secret ?? tokenSecret);
  }

  const exp = now + 600;
  test.each<[number, string, Forgery]>([
    [200, 'our secret and our claims', { exp }],
    [401, 'another secret', { exp, secret: new Uint8Array(32).fill(7) }],
    [401, 'another algorithm', { exp, alg: 'HS512', secret: new Uint8Array(64).fill(7) }],
    [401, 'no end', { exp: undefined }],
    [401, 'an end that is past', { exp: now - 1 }],
    [401, 'a beginning that is to come', { exp, claims: { nbf: now + 300 } }],
    [401, 'no dataset', { exp, claims: { datasetId: undefined } }],
    [401, 'a number for a dataset', { exp, claims: { datasetId: 1 } }],
    [401, 'no customer', { exp, claims: { customerId: undefined } }],
    [401, 'a customer that nobody is', { exp, claims: { customerId: randomUUID() } }],
  ])('%i GET /v1/files with %s', async (status, _, forgery) => {
    expect(await statusWith(await forge(forgery))).toBe(status);
  });

  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const parts = (token: string) => token.split('.') as [string, string, string];
  test.each<[string, (token: string) => string]>([
    [
      'the algorithm none and no signature',
      (token) => `${encode({ alg: 'none' })}.${parts(token)[1]}.`,
    ],
    [
      'the algorithm none and the signature',
      (token) => `${encode({ alg: 'none' })}.${parts(token)[1]}.${parts(token)[2]}`,
    ],
    [
      'the signature of other claims',
      (token) => {
        const [header, , signature] = parts(token);
        return `${header}.${encode({ ...decodeJwt(token), datasetId: 'others' })}.${signature}`;
      },
    ],
    ['no signature', (token) => `${parts(token)[0]}.${parts(token)[1]}.`],
    ['half a signature', (token) => token.slice(0, -20)],
    ['claims that are no JSON', (token) => `${parts(token)[0]}.!!!.${parts(token)[2]}`],
    ['a fourth part', (token) => `${token}.${parts(token)[2]}`],
  ])('401 GET /v1/files with %s', async (_, tamper) => {
    const token = await create({ datasetId: 'docs' });
    const reply = await createClient(gateway, tamper(token)).rest('GET', '/files');
    expect(reply.body).toStrictEqual({ error: 'Invalid API key or token' });
    expect(reply.status).toBe(401);
  });
});

describe('what a token reaches', () => {
  const question = 'Is the fox quick?';

  test('200 of every route of its dataset, without naming it', async () => {
    const frontend = createClient(gateway, await create({ datasetId: 'own' }));
    const uploaded = await frontend.upload(undefined, { 'fox.txt': 'The fox is quick.' });
    expect(uploaded.body.files[0].datasetId).toBe('own');
    const { fileId } = uploaded.body.files[0];
    await frontend.upload(undefined, { 'hen.txt': 'The hen is slow.' });

    const asked = await frontend.rest('POST', '/query', { question, stream: false });
    expect(asked.body.data.result).toContain('The fox is quick.');
    const found = await frontend.rest('POST', '/search', { question });
    expect(found.body.data[0].pageContent).toBe('The fox is quick.');
    expect((await frontend.rest('GET', '/files')).body.files).toHaveLength(2);
    expect((await frontend.rest('GET', `/files/${fileId}`)).body.file.fileId).toBe(fileId);
    expect((await frontend.rest('DELETE', `/files/${fileId}`)).body).toEqual({ success: true });
    expect((await frontend.rest('DELETE', '/datasets/own/files')).body).toEqual({
      success: true,
      deleted: 1,
    });
  });

  test('200 when it names its dataset, wherever that may be named', async () => {
    const { body } = await customer.upload('named', { 'fox.txt': 'The fox is quick.' });
    const { fileId } = body.files[0];
    const frontend = createClient(gateway, await create({ datasetId: 'named' }));
    const named = { datasetId: 'named' };
    const replies = [
      await frontend.rest('GET', '/files?datasetId=named'),
      await frontend.rest('GET', `/files/${fileId}?datasetId=named`),
      await frontend.rest('POST', '/query', { ...named, question, stream: false }),
      await frontend.rest('POST', '/search', { ...named, question }),
      await frontend.upload('named', { 'hen.txt': 'The hen is slow.' }),
      await frontend.rest('DELETE', `/files/${fileId}`, named),
    ];
    expect(replies.map(({ status }) => status)).toEqual(Array(replies.length).fill(200));
  });

  test('200 and 404: the dataset of its own customer, never one of the same name', async () => {
    const other = await newCustomer(gateway);
    const { body } = await other.upload('docs', { 'hen.txt': 'The hen is slow.' });
    const { fileId } = body.files[0];
    const frontend = createClient(gateway, await create({ datasetId: 'docs' }));
    const { files } = (await frontend.rest('GET', '/files')).body;
    const names = files.map(({ originalName }: { originalName: string }) => originalName);
    const found = await frontend.rest('POST', '/search', { question: 'Is the hen slow?' });
    expect(names).toEqual(['fox.txt']);
    expect(JSON.stringify(found.body)).not.toContain('hen.txt');
    expect((await frontend.rest('GET', `/files/${fileId}`)).status).toBe(404);
    expect((await frontend.rest('DELETE', `/files/${fileId}`)).status).toBe(404);
    await frontend.rest('DELETE', '/datasets/docs/files');
    expect((await other.rest('GET', '/files?datasetId=docs')).body.files).toHaveLength(1);
  });

  test('404 of a file in another dataset of its customer', async () => {
    const { body } = await customer.upload('elsewhere', { 'owl.txt': 'The owl is wise.' });
    const { fileId } = body.files[0];
    const frontend = createClient(gateway, await create({ datasetId: 'docs' }));
    expect((await frontend.rest('GET', `/files/${fileId}`)).status).toBe(404);
    expect((await frontend.rest('DELETE', `/files/${fileId}`)).status).toBe(404);
    expect((await customer.rest('GET', `/files/${fileId}?datasetId=elsewhere`)).status).toBe(200);
  });
});
