import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDiskStorage } from '../../../src/adapters/storage/disk/disk-storage.ts';
import { HARD_NAMES, nameIn } from '../../support/file-names.ts';
import { STORAGES, type TestStorage } from '../../support/storages.ts';

/* What every adapter of the object-storage port does. */

const TEXT = 'The fox is quick.';
const LARGE = randomBytes(3 * 1024 ** 2);

describe.each(Object.entries(STORAGES))('the %s storage', (_, start) => {
  let back: TestStorage;
  let objects = 0;

  beforeAll(async () => {
    back = await start();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(() => back.close());

  const newPath = () => `customers/c-1/datasets/docs/${++objects}-fox.txt`;
  async function put(content: string | Buffer = TEXT, path = newPath()): Promise<string> {
    const bytes = Buffer.from(content);
    const options = { contentType: 'text/plain', size: bytes.length };
    await back.storage.put(path, () => Readable.from([bytes], { objectMode: false }), options);
    return path;
  }
  const read = async (path: string) => buffer(await back.storage.get(path));
  async function sign(path: string, fileName = 'fox.txt'): Promise<string> {
    const [url] = await back.storage.signUrls([{ path, fileName }]);
    return url ?? '';
  }

  it('passes its own check, which leaves nothing', async () => {
    await back.storage.check();
    expect(await back.paths()).toEqual([]);
  });

  describe('put', () => {
    it.each([
      ['a text', Buffer.from('Füchse 漢字')],
      ['nothing', Buffer.alloc(0)],
      ['3 MiB of any bytes', LARGE],
    ])('stores %s as it is', async (_, bytes) => {
      expect((await read(await put(bytes))).equals(bytes)).toBe(true);
    });

    it('replaces what is there', async () => {
      const path = await put('before');
      await put('after, and longer', path);
      expect((await read(path)).toString()).toBe('after, and longer');
    });

    it('stores many at once', async () => {
      const paths = await Promise.all(Array.from({ length: 30 }, (_, at) => put(`text ${at}`)));
      const texts = await Promise.all(paths.map(async (path) => String(await read(path))));
      expect(texts).toEqual(Array.from({ length: 30 }, (_, at) => `text ${at}`));
    });

    it('rejects with what made the body fail, and leaves nothing', async () => {
      const path = newPath();
      async function* breaking() {
        yield TEXT;
        throw new Error('the disk is gone');
      }
      const options = { contentType: 'text/plain', size: 100 };
      const putting = back.storage.put(path, () => Readable.from(breaking()), options);
      await expect(putting).rejects.toThrow('the disk is gone');
      expect((await back.paths()).filter((stored) => stored.startsWith(path))).toEqual([]);
    });

    it('rejects with the reason of its signal, closes the body, and leaves nothing', async () => {
      const path = newPath();
      const controller = new AbortController();
      const body = new Readable({ read() {} });
      body.push(TEXT);
      const putting = back.storage.put(path, () => body, {
        contentType: 'text/plain',
        size: 100,
        signal: controller.signal,
      });
      const rejection = expect(putting).rejects.toThrow('the client went away');
      setTimeout(() => controller.abort(new Error('the client went away')), 50);
      await rejection;
      await vi.waitFor(() => expect(body.destroyed).toBe(true));
      expect((await back.paths()).filter((stored) => stored.startsWith(path))).toEqual([]);
    });
  });

  describe('get', () => {
    it('rejects when there is nothing', async () => {
      await expect(back.storage.get('customers/c-1/nothing.txt')).rejects.toThrow();
    });

    it('may be left in the middle', async () => {
      const stream = await back.storage.get(await put(LARGE));
      for await (const chunk of stream) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      expect(stream.destroyed).toBe(true);
    });
  });

  describe('signUrls', () => {
    it('signs URLs that bring the objects, in the order asked', async () => {
      const paths = [await put('one'), await put('two'), await put('three')];
      const asked = [paths[2], paths[0], paths[1]].map((path = '') => ({
        path,
        fileName: 'a.txt',
      }));
      const urls = await back.storage.signUrls(asked);
      const texts = urls.map(async (url) => (await back.download(url ?? '')).text());
      expect(await Promise.all(texts)).toEqual(['three', 'one', 'two']);
    });

    it.each(HARD_NAMES)('gives the download a name with %s', async (_, name) => {
      const response = await back.download(await sign(await put(), name));
      expect(response.status).toBe(200);
      const disposition = response.headers.get('content-disposition') ?? '';
      expect(disposition).toMatch(/^attachment;/);
      expect(nameIn(disposition)).toBe(name);
    });

    it.each([
      ['2490-12-31T23:59:00Z', true],
      ['2491-01-01T00:01:00Z', false],
    ])('signs until 2491: at %s, %s', async (now, good) => {
      const url = await sign(await put());
      vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
      expect((await back.download(url)).ok).toBe(good);
    });

    it('signs URLs that give a part', async () => {
      const headers = { range: 'bytes=4-6' };
      const response = await back.download(await sign(await put()), { headers });
      expect(response.status).toBe(206);
      expect(await response.text()).toBe('fox');
      expect(response.headers.get('content-range')).toBe('bytes 4-6/17');
    });

    it('signs for one object only, and nothing once it is removed', async () => {
      const [path, other] = [await put('mine'), await put('another')];
      const url = await sign(path);
      expect((await back.download(url.replace(path, other))).ok).toBe(false);
      await back.storage.remove([path]);
      expect((await back.download(url)).ok).toBe(false);
    });

    it('takes what it signed for good, and nothing else', async () => {
      const url = await sign(await put());
      expect(await back.storage.stillGood([url])).toEqual([url]);
      const others = ['', 'https://elsewhere.test/a.txt', url.replace('://', '://x.')];
      expect(await back.storage.stillGood([...others, url])).toEqual([url]);
      expect(await back.storage.stillGood([])).toEqual([]);
    });

    it('takes nothing for good that another key signed', async () => {
      const other = await start();
      const content = Buffer.from(TEXT);
      const path = 'customers/c-1/datasets/docs/other.txt';
      const options = { contentType: 'text/plain', size: content.length };
      await other.storage.put(path, () => Readable.from([content]), options);
      const object = { path, fileName: 'a.txt' };
      vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01T00:00:00Z') });
      const [before = ''] = await other.storage.signUrls([object]);
      expect(await other.storage.stillGood([before ?? ''])).toEqual([before]);
      other.changeKey();
      // What was believed of links is not believed for ever.
      vi.setSystemTime(new Date('2030-01-01T00:06:00Z'));
      const [after = ''] = await other.storage.signUrls([object]);
      expect(await other.storage.stillGood([before ?? '', after ?? ''])).toEqual([after]);
      expect((await other.download(after ?? '')).ok).toBe(true);
      await other.close();
    });

    it('signs none', async () => {
      expect(await back.storage.signUrls([])).toEqual([]);
    });
  });

  describe('list', () => {
    const list = async (folder: string) =>
      (await Array.fromAsync(back.storage.list(folder))).flat();

    it('lists the objects in a folder with their sizes and times, and no others', async () => {
      const paths = ['customers/c-3/datasets/docs/a.txt', 'customers/c-3/datasets/docs/b.txt'];
      for (const path of [...paths, 'customers/c-3/datasets/docs2/c.txt']) await put(TEXT, path);
      const found = await list('customers/c-3/datasets/docs');
      expect(found.map(({ path }) => path).sort()).toEqual(paths);
      for (const { size, modified } of found) {
        expect(size).toBe(Buffer.byteLength(TEXT));
        expect(Math.abs(modified.getTime() - Date.now())).toBeLessThan(60_000);
      }
      expect(await list('customers/c-3/datasets')).toEqual([]);
    });

    it('lists 2,100, each once; none where there is no folder', async () => {
      const paths = Array.from({ length: 2100 }, (_, at) => `customers/c-4/${at}.txt`);
      await back.seed(paths);
      const found = (await list('customers/c-4')).map(({ path }) => path);
      expect(found.toSorted()).toEqual(paths.toSorted());
      expect(await list('customers/c-5')).toEqual([]);
    });
  });

  describe('remove', () => {
    it('removes the objects that are named, and no others', async () => {
      const [path, longer] = [await put(), newPath()];
      await put(TEXT, `${longer}.more`);
      expect(await back.storage.remove([path, longer])).toEqual([]);
      await expect(back.storage.get(path)).rejects.toThrow();
      expect((await read(`${longer}.more`)).toString()).toBe(TEXT);
    });

    it('counts what is not there as removed, and what is named twice once', async () => {
      const path = await put();
      expect(await back.storage.remove([path, newPath(), path])).toEqual([]);
      expect(await back.storage.remove([path])).toEqual([]);
      expect(await back.storage.remove([])).toEqual([]);
    });

    it('removes 2,500 at once', async () => {
      const paths = Array.from({ length: 2500 }, (_, at) => `customers/c-2/${at}.txt`);
      const stored = [paths[0], paths[1000], paths[2499]].map((path = '') => put(TEXT, path));
      await Promise.all(stored);
      expect(await back.storage.remove(paths)).toEqual([]);
      expect((await back.paths()).filter((path) => path.startsWith('customers/c-2/'))).toEqual([]);
    });
  });
});

it('the disk storage rejects a folder that cannot be made', async () => {
  const options = { folder: '/proc/x/objects', baseUrl: 'http://x', secret: randomBytes(32) };
  const storage = createDiskStorage(options);
  await expect(storage.check()).rejects.toThrow("mkdir '/proc/x'");
});
