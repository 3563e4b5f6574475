/** What the backend of the page gives to a user. */
export interface Session {
  /** Of the gateway's GraphQL. */
  url: string;
  /** A frontend token. The API key stays with the backend. */
  token: string;
}

export async function openSession(): Promise<Session> {
  const response = await fetch('/session', { method: 'POST' });
  if (!response.ok) throw new Error(`No session: ${response.status}`);
  return response.json();
}
