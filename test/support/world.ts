import { FileDocument } from '../../src/generated/graphql.ts';
import { type Client, createClient, newCustomer } from './client.ts';
import type { TestGateway } from './gateway.ts';
import { restTransport } from './rest-transport.ts';
import { resultOf, type Transport } from './transport.ts';

export const DATASETS = ['shared', 'other'] as const;
export type DatasetName = (typeof DATASETS)[number];

export interface WorldCaller {
  name: string;
  customer: number;
  /** The dataset that a token speaks for; a key speaks for all. */
  bound?: DatasetName;
  client: Client;
  /** All that the gateway ever said to it. */
  heard: string[];
}

export interface WorldFile {
  customer: number;
  datasetId: DatasetName;
  fileId: string;
  globalId: string;
  /** A word that is in this file only. */
  secret: string;
}

/**
 * Two customers with datasets of the same names, a key and a token of each, and all files there
 * are: what the gateway should know, kept by a test.
 */
export async function createWorld(gateway: TestGateway) {
  const customers = [await newCustomer(gateway), await newCustomer(gateway)];
  const callers: WorldCaller[] = [];
  for (const [customer, { apiKey, customerId }] of customers.entries()) {
    const { token } = await gateway.admin.createToken(customerId, 'shared');
    callers.push(
      { name: `key of ${customer}`, customer, ...overhear(gateway, apiKey) },
      { name: `token of ${customer}`, customer, bound: 'shared', ...overhear(gateway, token) },
    );
  }
  const files = new Map<string, WorldFile>();
  /** Of every file there ever was. */
  const ever: WorldFile[] = [];

  const world = {
    callers,
    files,
    ever,

    /** Uploads a file with a word of its own; all files have the same name and metadata. */
    async upload(
      transport: Transport,
      { client, customer, bound }: WorldCaller,
      datasetId?: DatasetName,
    ) {
      const secret = `secret${ever.length}of${customer}end`;
      const outcome = await transport.upload(client, {
        datasetId,
        files: { 'same.txt': `The word of this file is ${secret}.` },
        metadata: { 'same.txt': { kind: 'same' } },
      });
      if (!('result' in outcome)) return outcome;
      const [uploaded] = outcome.result.files;
      const file = {
        customer,
        datasetId: datasetId ?? bound ?? 'shared',
        fileId: uploaded?.fileId ?? '',
      };
      const found = await client.graphql(FileDocument, file);
      const globalId = found.data.file?.id ?? '';
      files.set(file.fileId, { ...file, secret, globalId });
      ever.push({ ...file, secret, globalId });
      return outcome;
    },

    /** The files of a dataset that a caller may see, by id. */
    visible({ customer }: WorldCaller, datasetId: DatasetName): string[] {
      return [...files.values()]
        .filter((file) => file.customer === customer && file.datasetId === datasetId)
        .map(({ fileId }) => fileId)
        .sort();
    },

    /** Whether a caller may see a file that is there. */
    sees(caller: WorldCaller, { fileId }: WorldFile): boolean {
      const file = files.get(fileId);
      if (!file || file.customer !== caller.customer) return false;
      return caller.bound === undefined || caller.bound === file.datasetId;
    },

    /** What a caller has heard of files that it may never have seen. */
    leaksTo({ heard, customer, bound }: WorldCaller): string[] {
      const strangers = ever.filter(
        (file) => file.customer !== customer || (bound ?? file.datasetId) !== file.datasetId,
      );
      const others = customers.filter((_, other) => other !== customer);
      return [
        ...strangers.flatMap(({ fileId, globalId, secret }) => [fileId, globalId, secret]),
        ...others.map(({ customerId }) => customerId),
      ].filter((word) => heard.some((text) => text.includes(word)));
    },
  };
  for (const caller of callers) resultOf(await world.upload(restTransport, caller, 'shared'));
  return world;
}

export type World = Awaited<ReturnType<typeof createWorld>>;

/** A client, and all that the gateway says to it. */
function overhear({ fetch }: TestGateway, credential: string) {
  const heard: string[] = [];
  const client = createClient(
    {
      async fetch(request) {
        const response = await fetch(request);
        heard.push(await response.clone().text());
        return response;
      },
    },
    credential,
  );
  return { client, heard };
}
