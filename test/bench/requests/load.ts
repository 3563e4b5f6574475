import { Agent, request } from 'node:http';

export interface Asked {
  method: 'GET' | 'POST';
  url: string;
  authorization: string;
  body?: object | undefined;
}

export interface Answered {
  status: number;
  body: Buffer;
  serverTiming: string;
}

/** What a slot of measuring gave. */
export interface Slot {
  perSecond: number;
  /** Of each request. */
  ms: number[];
  serverTimings: string[];
}

/** Asks one thing again and again, over so many connections, for so long. */
export async function load(
  asked: Asked,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<Slot> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const slot: Slot = { perSecond: 0, ms: [], serverTimings: [] };
  const begun = performance.now();
  const end = begun + seconds * 1000;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let start = performance.now(); start < end; start = performance.now()) {
        const { status, serverTiming } = await ask(asked, agent);
        if (status !== 200) throw new Error(`${asked.url} answers ${status}`);
        slot.ms.push(performance.now() - start);
        slot.serverTimings.push(serverTiming);
      }
    }),
  );
  slot.perSecond = (1000 * slot.ms.length) / (performance.now() - begun);
  agent.destroy();
  return slot;
}

/** Asks once. */
export function ask({ method, url, authorization, body }: Asked, agent?: Agent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const json = body && { 'content-type': 'application/json' };
    request(url, { method, agent, headers: { authorization, ...json } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        const serverTiming = String(headers['server-timing'] ?? '');
        resolve({ status, body: Buffer.concat(parts), serverTiming });
      });
    })
      .on('error', reject)
      // In one piece with its length: Node sends a body that comes in pieces in chunks.
      .end(body && JSON.stringify(body));
  });
}
