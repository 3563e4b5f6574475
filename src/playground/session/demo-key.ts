/**
 * The key of the demo customer, if the gateway gives it to this page: on the embedded database, to a
 * browser on the same machine.
 */
export async function fetchDemoKey(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/demo-key`, { method: 'POST' });
    return response.status === 200 ? await response.text() : undefined;
  } catch {
    return undefined;
  }
}
