/** How much of the body of an upload has been sent, in bytes. */
export interface Progress {
  sentBytes: number;
  totalBytes: number;
}

type Send = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Sends a body and reports how much of it was sent. In a browser with XMLHttpRequest, because `fetch` reports
 * nothing there; elsewhere as a stream, whose bytes count as sent when they are passed to the network. A
 * service worker can do neither over HTTP/1.1, and reports the whole body when the response begins.
 */
export function sendWithProgress(
  body: Blob,
  onProgress: (progress: Progress) => void,
  fetchOne: typeof fetch,
): Send {
  if (typeof XMLHttpRequest !== 'undefined') {
    return (url, init) => sendByXhr(url, init, body, onProgress);
  }
  if ('ServiceWorkerGlobalScope' in globalThis) {
    return async (url, init) => {
      const response = await fetchOne(url, { ...init, body });
      onProgress({ sentBytes: body.size, totalBytes: body.size });
      return response;
    };
  }
  return (url, init) => fetchOne(url, asStream(init, body, onProgress));
}

function asStream(
  init: RequestInit,
  body: Blob,
  onProgress: (progress: Progress) => void,
): RequestInit {
  let sentBytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      controller.enqueue(bytes);
      sentBytes += bytes.byteLength;
      onProgress({ sentBytes, totalBytes: body.size });
    },
  });
  const headers = { ...(init.headers as Record<string, string>), 'content-type': body.type };
  const streamed = { ...init, headers, body: body.stream().pipeThrough(counted), duplex: 'half' };
  return streamed as RequestInit;
}

function sendByXhr(
  url: string,
  { method = 'POST', headers, signal }: RequestInit,
  body: Blob,
  onProgress: (progress: Progress) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const xhr = new XMLHttpRequest();
    const abort = () => xhr.abort();
    xhr.open(method, url);
    for (const [name, value] of Object.entries(headers ?? {})) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded, total }) =>
      onProgress({ sentBytes: loaded, totalBytes: total });
    xhr.onload = () => {
      const lines = xhr
        .getAllResponseHeaders()
        .trim()
        .split(/[\r\n]+/);
      const pairs = lines.flatMap((line): [string, string][] => {
        const colon = line.indexOf(':');
        return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1).trim()]] : [];
      });
      const text = WITHOUT_BODY.includes(xhr.status) ? null : xhr.responseText;
      resolve(new Response(text, { status: xhr.status, headers: pairs }));
    };
    xhr.onerror = () => reject(new TypeError('The upload broke off'));
    xhr.onabort = () => reject(signal?.reason ?? new TypeError('The upload was aborted'));
    xhr.onloadend = () => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort, { once: true });
    xhr.send(body);
  });
}

/** Statuses with which a `Response` takes no text. */
const WITHOUT_BODY = [204, 205, 304];
