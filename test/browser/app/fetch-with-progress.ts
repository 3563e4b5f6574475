/**
 * `fetch` for uploads: fetch itself does not tell how much is sent.
 *
 * @param onSent takes the part that is sent, from 0 to 1
 */
export function fetchWithProgress(onSent: (part: number) => void): typeof fetch {
  return (input, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, String(input));
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.responseType = 'blob';
      request.upload.onprogress = ({ loaded, total }) => onSent(loaded / total);
      request.onload = () => {
        const type = request.getResponseHeader('content-type') ?? '';
        const { status, response } = request;
        resolve(new Response(response, { status, headers: { 'content-type': type } }));
      };
      request.onerror = () => reject(new TypeError('The upload has failed.'));
      request.onabort = () => reject(signal?.reason);
      signal?.addEventListener('abort', () => request.abort());
      request.send(body as XMLHttpRequestBodyInit);
    });
}
