import { useEffect, useRef, useState } from 'preact/hooks';
import { FilesDocument, type ShownFileFragment } from '../../generated/playground.ts';
import type { DatasetEvent } from '../api/follow.ts';
import type { Gateway } from '../api/gateway.ts';
import { type Problem, problemOf } from '../api/problem.ts';

export interface FileList {
  files: ShownFileFragment[];
  totalCount: number;
  /** Where the list goes on. */
  endCursor: string | null;
  /** Whether the list was read. */
  isRead: boolean;
  problem: Problem | undefined;
}

export const PAGE_SIZE = 50;

const EMPTY: FileList = {
  files: [],
  totalCount: 0,
  endCursor: null,
  isRead: false,
  problem: undefined,
};

interface FilesOptions {
  gateway: Gateway;
  datasetId: string;
  /** Only files with this in their names. */
  name: string;
  /** Whether files may be listed at all. */
  isAllowed: boolean;
}

/** The files of a dataset, newest first, updated as files are added and removed. */
export function useFiles({ gateway, datasetId, name, isAllowed }: FilesOptions) {
  const [list, setList] = useState(EMPTY);
  const wanted = useRef(name);
  wanted.current = name;
  const removed = useRef(new Set<string>());
  /** For each list that is being read, the files that were added meanwhile: it may not contain them. */
  const reads = useRef(new Set<ShownFileFragment[]>());

  useEffect(() => {
    if (!isAllowed) return;
    const controller = new AbortController();
    let isRead = false;
    const follower = {
      onEvent(event: DatasetEvent) {
        if (event.__typename === 'FileAdded') add(event.file);
        else if (event.__typename === 'FileRemoved') remove(event.deletedFileId);
        else {
          isRead = true;
          void read();
        }
      },
      onLost(error: unknown) {
        setList((now) => ({ ...now, problem: problemOf(error) }));
        // Perhaps only the subscription failed.
        if (!isRead) void read();
        isRead = true;
      },
    };
    void gateway.follow(datasetId, follower, controller.signal);
    return () => controller.abort();
  }, []);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current && isAllowed) void read();
    isFirst.current = false;
  }, [name]);

  return { list, remove, readMore: () => read(list) };

  /** @param before the list to which the page is added */
  async function read(before?: FileList): Promise<void> {
    const asked = wanted.current;
    const arrived: ShownFileFragment[] = [];
    reads.current.add(arrived);
    const after = before?.endCursor;
    const variables = { datasetId, first: PAGE_SIZE, after, where: whereOf(asked) };
    try {
      const { files } = await gateway.execute(FilesDocument, variables);
      // Another name was typed meanwhile.
      if (!files || asked !== wanted.current) return;
      const { nodes, totalCount, pageInfo } = files;
      const left = nodes.filter(isLeft);
      const missing = arrived.filter(isLeft).filter(isNewIn(nodes));
      setList((now) => ({
        files: before
          ? [...now.files, ...left.filter(isNewIn(now.files))]
          : [...missing.toReversed(), ...left],
        totalCount: before
          ? now.totalCount
          : totalCount + missing.length - (nodes.length - left.length),
        endCursor: pageInfo.hasNextPage ? pageInfo.endCursor : null,
        isRead: true,
        problem: undefined,
      }));
    } catch (error) {
      setList((now) => ({ ...now, problem: problemOf(error) }));
    } finally {
      reads.current.delete(arrived);
    }
  }

  function add(file: ShownFileFragment): void {
    if (!file.originalName.toLowerCase().includes(wanted.current.toLowerCase())) return;
    for (const arrived of reads.current) arrived.push(file);
    setList((now) =>
      isNewIn(now.files)(file)
        ? { ...now, files: [file, ...now.files], totalCount: now.totalCount + 1 }
        : now,
    );
  }

  function isLeft({ id }: ShownFileFragment): boolean {
    return !removed.current.has(id);
  }

  /** A file is removed once, although the page that deletes it also gets the event. */
  function remove(id: string): void {
    if (removed.current.has(id)) return;
    removed.current.add(id);
    setList((now) => {
      const files = now.files.filter((file) => file.id !== id);
      // It may be on a page that was not read; a name may have kept it out of the list.
      const isGone = files.length < now.files.length || !wanted.current;
      return { ...now, files, totalCount: now.totalCount - (isGone ? 1 : 0) };
    });
  }
}

export function whereOf(name: string) {
  return name ? { originalName: { contains: name } } : undefined;
}

function isNewIn(files: ShownFileFragment[]): (file: ShownFileFragment) => boolean {
  return ({ id }) => !files.some((known) => known.id === id);
}
