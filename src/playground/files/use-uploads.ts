import { useEffect, useRef, useState } from 'preact/hooks';
import { newIdempotencyKey } from '../../client/connection.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Gateway } from '../api/gateway.ts';
import { type Problem, problemOf, TOO_LARGE } from '../api/problem.ts';

/** A file on its way. It leaves the list when it can be searched. */
export interface Upload {
  id: string;
  datasetId: string;
  file: File;
  state: 'waiting' | 'sending' | 'reading' | 'failed';
  /** The part that was sent, from 0 to 1. */
  sent: number;
  problem?: Problem;
}

export interface UploadsOptions {
  gateway: Gateway;
  onUploaded: (arrived: Arrived) => void;
}

export interface Arrived {
  datasetId: string;
  fileName: string;
  metadata: Record<string, unknown>;
}

export type Uploads = ReturnType<typeof useUploads>;

/** Files that are sent at the same time; each is a request of its own, and fails alone. */
const AT_ONCE = 2;

/** Sends files, some at once and the others after them, also while another dataset is looked at. */
export function useUploads({ gateway, onUploaded }: UploadsOptions) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [arrived, setArrived] = useState('');
  const controllers = useRef(new Map<string, AbortController>());
  const waiting = useRef<(() => Promise<void>)[]>([]);
  const running = useRef(0);
  useEffect(() => {
    const { current } = controllers;
    return () => {
      for (const controller of current.values()) controller.abort();
    };
  }, []);
  const isBusy = uploads.some(({ state }) => state !== 'failed');
  useEffect(() => {
    if (!isBusy) return;
    // The browser asks whether the page may be left.
    const ask = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isBusy]);

  return {
    uploads,
    /** The name of the last one that arrived. */
    arrived,
    add(datasetId: string, files: File[], metadata: Record<string, unknown>): void {
      for (const file of files) add(datasetId, file, metadata);
    },
    /** Also of one that has failed. */
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
      await gateway.uploadFile(
        file,
        { datasetId, metadata },
        {
          signal,
          onProgress({ sentBytes, totalBytes }) {
            const sent = totalBytes > 0 ? sentBytes / totalBytes : 1;
            change({ sent, state: sent < 1 ? 'sending' : 'reading' });
          },
        },
      );
      setUploads((now) => now.filter((each) => each.id !== id));
      setArrived(file.name);
      onUploaded({ datasetId, fileName: file.name, metadata: own });
    } catch (error) {
      if (!signal.aborted) change({ state: 'failed', problem: problemOf(error) });
    }
  }
}

/** The gateway would say so, but after all of it was sent. */
function isTooLarge({ size, type }: File): boolean {
  const isRecording = /^(audio|video)\//.test(type);
  return size > (isRecording ? LIMITS.mediaBytes : LIMITS.fileBytes);
}
