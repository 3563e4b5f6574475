/** A gateway to talk to, and the dataset to work on. */
export interface Remote {
  url: string;
  /** An API key or a frontend token; it may change while a command runs. */
  credential: () => Promise<string>;
  /** Not needed with a frontend token. */
  datasetId: string | undefined;
}

/** Sends a request to a path of the gateway, which the dataset is added to. */
export async function sendTo(
  { url, credential, datasetId }: Remote,
  path: string,
  { headers, ...init }: RequestInit = {},
): Promise<Response> {
  const target = new URL(`${url}${path}`);
  if (datasetId !== undefined) target.searchParams.set('datasetId', datasetId);
  return fetch(target, {
    ...init,
    headers: { ...headers, authorization: `Bearer ${await credential()}` },
  });
}
