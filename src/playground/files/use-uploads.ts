import { useEffect, useRef, useState } from 'preact/hooks';
import { newIdempotencyKey } from '../../client/connection.ts';
import { maxFileBytes } from '../../core/limits.ts';
import type { OnDuplicate } from '../../generated/playground.ts';
import type { Gateway } from '../api/gateway.ts';
import { type Problem, problemOf, TOO_LARGE } from '../api/problem.ts';

/** A file that is being uploaded. It leaves the list when it is stored and can be searched. */
export interface Upload {
  id: string;
  datasetId: string;
  file: File;
  state: 'waiting' | 'sending' | 'reading' | 'skipped' | 'failed';
  /** The part that was sent, from 0 to 1. */
  sent: number;
  /** The name of the file that has the same content, if it was skipped. */
  storedAs?: string;
  problem?: Problem;
}

export interface UploadsOptions {
  gateway: Gateway;
  /** What happens to files whose content the dataset already has. */
  onDuplicate: OnDuplicate;
  onUploaded: (arrived: Arrived) => void;
}

export interface Arrived {
  datasetId: string;
  fileName: string;
  metadata: Record<string, unknown>;
}

export type Uploads = ReturnType<typeof useUploads>;

/** Files that are sent at the same time; each in a separate request, and fails alone. */
const AT_ONCE = 2;

/** Sends files, some at once and the others after them, also while another dataset is shown. */
export function useUploads({ gateway, onDuplicate, onUploaded }: UploadsOptions) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [news, setNews] = useState('');
  const controllers = useRef(new Map<string, AbortController>());
  const waiting = useRef<(() => Promise<void>)[]>([]);
  const running = useRef(0);
  useEffect(() => {
    const { current } = controllers;
    return () => {
      for (const controller of current.values()) controller.abort();
    };
  }, []);
  const isBusy = uploads.some(({ state }) => !isOver(state));
  useEffect(() => {
    if (!isBusy) return;
    // The browser asks whether the page may be left.
    const ask = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isBusy]);

  return {
    uploads,
    /** The result of the last one that did not fail. */
    news,
    add(datasetId: string, files: File[], metadata: Record<string, unknown>): void {
      setUploads((now) => now.filter(({ state }) => state !== 'skipped'));
      for (const file of files) add(datasetId, file, metadata);
    },
    /** Also of one that was skipped or has failed. */
    cancel(id: string): void {
      controllers.current.get(id)?.abort();
      setUploads((now) => now.filter((each) => each.id !== id));
    },
  };

  function add(datasetId: string, file: File, metadata: Record<string, unknown>): void {
    const id = newIdempotencyKey();
    const upload: Upload = { id, datasetId, file, state: 'waiting', sent: 0 };
    if (isTooLarge(file)) {
      const problem = { code: 'FILE_TOO_LARGE', text: TOO_LARGE };
      setUploads((now) => [...now, { ...upload, state: 'failed', problem }]);
      return;
    }
    const controller = new AbortController();
    controllers.current.set(id, controller);
    setUploads((now) => [...now, upload]);
    waiting.current.push(() => send(upload, metadata, controller.signal));
    next();
  }

  function next(): void {
    if (running.current >= AT_ONCE) return;
    const start = waiting.current.shift();
    if (!start) return;
    running.current++;
    void start().finally(() => {
      running.current--;
      next();
    });
    next();
  }

  async function send(upload: Upload, own: Record<string, unknown>, signal: AbortSignal) {
    const { id, datasetId, file } = upload;
    const change = (to: Partial<Upload>) =>
      setUploads((now) => now.map((each) => (each.id === id ? { ...each, ...to } : each)));
    if (signal.aborted) return;
    change({ state: 'sending' });
    const metadata = Object.keys(own).length > 0 ? { 0: own } : undefined;
    try {
      const { uploadFiles } = await gateway.uploadFile(
        file,
        { datasetId, metadata, onDuplicate },
        {
          signal,
          onProgress({ sentBytes, totalBytes }) {
            const sent = totalBytes > 0 ? sentBytes / totalBytes : 1;
            change({ sent, state: sent < 1 ? 'sending' : 'reading' });
          },
        },
      );
      const [stored] = uploadFiles.skipped;
      if (stored) change({ state: 'skipped', storedAs: stored.originalName });
      else setUploads((now) => now.filter((each) => each.id !== id));
      setNews(`${file.name} ${stored ? 'is already there' : 'can be searched now'}`);
      onUploaded({ datasetId, fileName: file.name, metadata: own });
    } catch (error) {
      if (!signal.aborted) change({ state: 'failed', problem: problemOf(error) });
    }
  }
}

/** Whether nothing more happens to an upload. */
export function isOver(state: Upload['state']): boolean {
  return state === 'skipped' || state === 'failed';
}

/** The gateway would also reject it, but only after all of it was sent. */
function isTooLarge({ name, size, type }: File): boolean {
  return size > maxFileBytes({ originalName: name, mimeType: type });
}
