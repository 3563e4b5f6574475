/** Sends requests for the test host to a server. @param url where the server listens */
export function fetchFrom(url: string): (request: Request) => Promise<Response> {
  return (request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(new URL(pathname + search, url), request));
  };
}
