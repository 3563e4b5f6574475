import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FilesDocument, UploadFilesDocument, ViewerDocument } from '../../src/generated/graphql.ts';
import { createClient, newCustomer } from '../support/client.ts';
import { faults, shareGateway, type TestGateway } from '../support/gateway.ts';
import { multipart, sendForm, uploadOverGraphql } from '../support/graphql.ts';
import { endless, send, streamed } from '../support/requests.ts';
import { NO_TRACES, tracesOf } from '../support/traces.ts';

let gateway: TestGateway;
let me: Awaited<ReturnType<typeof newCustomer>>;

beforeAll(async () => {
  gateway = await shareGateway();
  me = await newCustomer(gateway, '1000');
});
afterEach(async () => {
  faults.mend();
  expect(await readdir(join(gateway.dataDir, 'incoming'))).toEqual([]);
});
afterAll(() => gateway.close());

describe('an upload', () => {
  it('of several files is there when it is answered, in the order it was sent', async () => {
    const texts = { 'z.txt': 'Zebras.', 'a.txt': 'Apples.', '漢字 naïve.md': '# Kanji\n\nText.' };
    const { data, errors } = await uploadOverGraphql(me, 'several', texts);
    expect(errors).toEqual([]);
    const names = data.uploadFiles.files.map(({ originalName }) => originalName);
    expect(names).toEqual(Object.keys(texts));
    const listed = await me.graphql(FilesDocument, { datasetId: 'several' });
    expect(listed.data.files?.nodes.map(({ fileId }) => fileId).sort()).toEqual(
      data.uploadFiles.files.map(({ fileId }) => fileId).sort(),
    );
  });

  it('stores the very bytes that were sent', async () => {
    const bytes = new Uint8Array(300_000).map((_, at) => 97 + ((at * 7) % 26));
    await uploadOverGraphql(me, 'bytes', { 'letters.txt': new Blob([bytes]) });
    const { data } = await me.graphql(
      '{ files(datasetId: "bytes") { nodes { size filePath permanentUrl } } }',
    );
    const [file] = data.files.nodes;
    expect(file.size).toBe(bytes.length);
    const download = await gateway.download(file.permanentUrl);
    expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true);
    expect(await gateway.storedPaths()).toContain(file.filePath);
  });

  it('with a token goes into its dataset', async () => {
    const { token } = await gateway.admin.createToken(me.customerId, 'of-token');
    const bearer = createClient(gateway, token);
    const { errors } = await uploadOverGraphql(bearer, undefined, { 'a.txt': 'Apples.' });
    expect(errors).toEqual([]);
    const { data } = await me.graphql(FilesDocument, { datasetId: 'of-token' });
    expect(data.files?.totalCount).toBe(1);
  });

  it('takes one file into two places, twice', async () => {
    const form = multipart(UploadFilesDocument, { datasetId: 'twice', files: [null, null] }, [
      { name: 'a.txt', content: 'Apples.', places: ['variables.files.0', 'variables.files.1'] },
    ]);
    expect(await sendForm(me, form)).toMatchObject({ errors: [] });
    const { data } = await me.graphql(FilesDocument, { datasetId: 'twice' });
    expect(data.files?.nodes.map(({ originalName }) => originalName)).toEqual(['a.txt', 'a.txt']);
  });

  it('may come in a document of any shape', async () => {
    const mutation = `mutation ($one: Upload!) {
      first: uploadFiles(input: { datasetId: "shape", files: [$one] }) { billed { fileCount } }
    }`;
    const form = multipart(mutation, { one: null }, [
      { name: 'a.txt', content: 'Apples.', places: ['variables.one'] },
    ]);
    expect(await sendForm(me, form)).toMatchObject({
      data: { first: { billed: { fileCount: 1 } } },
    });
  });

  it.each([
    ['no', undefined, 'MISSING_CREDENTIAL'],
    ['a bad', 'fq_bad', 'INVALID_CREDENTIAL'],
  ])('with %s credential is refused before it is read', async (_, credential, code) => {
    const { body, taken } = endless();
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const init = { ...streamed(body), credential, headers };
    const response = await send(gateway, 'POST', '/graphql', init);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code } }] });
    expect(taken()).toBeLessThan(1024 ** 2);
  });

  it('that fails leaves nothing and costs nothing', async () => {
    faults.fail('index.add');
    const before = await creditsOf();
    const { errors } = await uploadOverGraphql(me, 'failing', { 'a.txt': 'A.', 'b.txt': 'B.' });
    expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL' } }]);
    faults.mend();
    expect(await tracesOf(gateway, faults, 'failing')).toEqual(NO_TRACES);
    expect(await creditsOf()).toBe(before);
  });

  it('takes in all of its files or none', async () => {
    const before = await creditsOf();
    const { errors } = await uploadOverGraphql(me, 'all-or-none', {
      'good.txt': 'Good.',
      'empty.txt': '',
    });
    expect(errors).toMatchObject([
      { message: 'empty.txt: it is empty', extensions: { code: 'UNREADABLE_FILE' } },
    ]);
    expect(await tracesOf(gateway, faults, 'all-or-none')).toEqual(NO_TRACES);
    expect(await creditsOf()).toBe(before);
  });
});

async function creditsOf(): Promise<string | null | undefined> {
  return (await me.graphql(ViewerDocument)).data.viewer?.credits;
}
