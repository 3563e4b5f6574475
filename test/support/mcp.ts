import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';

/** The versions of the protocol that clients of today speak; the last is without a handshake. */
export const PROTOCOL_VERSIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

export interface McpCaller {
  /** Where requests go: a gateway of a test, or a server. */
  fetch(request: Request): Response | Promise<Response>;
  credential?: string | undefined;
  /** Default: the newest with a handshake. */
  version?: (typeof PROTOCOL_VERSIONS)[number];
  /** In the URL. */
  datasetId?: string;
}

/** Connects a client of the official SDK. */
export async function connectMcp({ fetch, credential, version, datasetId }: McpCaller) {
  const url = new URL('http://filequery.test/mcp');
  if (datasetId !== undefined) url.searchParams.set('datasetId', datasetId);
  const isPinned = version === '2026-07-28';
  const client = new Client(
    { name: 'test', version: '1' },
    {
      ...(isPinned && { versionNegotiation: { mode: { pin: version } } }),
      ...(version && !isPinned && { supportedProtocolVersions: [version] }),
    },
  );
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: async (to, init) => fetch(new Request(to, init)),
    requestInit: { headers: credential ? { authorization: `Bearer ${credential}` } : {} },
  });
  await client.connect(transport);
  return client;
}

export type McpClient = Awaited<ReturnType<typeof connectMcp>>;

/** The structured result of a tool call, which must be its text, too; or the text of its failure. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came
export async function callTool(client: McpClient, name: string, args: object = {}): Promise<any> {
  const result = await client.callTool({ name, arguments: { ...args } });
  const [content] = result.content;
  expect(result.content).toHaveLength(1);
  if (content?.type !== 'text') throw new Error('a result has one text');
  if (result.isError) return { failed: content.text, ...errorOf(result._meta) };
  expect(JSON.parse(content.text)).toEqual(result.structuredContent);
  return result.structuredContent;
}

function errorOf(meta: Record<string, unknown> | undefined) {
  return (meta?.['filequery/error'] as { code: string; details: object } | undefined) ?? {};
}
