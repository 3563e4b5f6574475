import { createAiSdk } from '../ai-sdk/server.ts';
import type { Config } from '../config/config.ts';
import { VERSION } from '../config/version.ts';
import { createGraphql } from '../graphql/server.ts';
import type { Door, Service } from '../http/door.ts';
import { createMcp } from '../mcp/server.ts';
import { createOpenai } from '../openai/server.ts';
import { createPages } from '../pages/server.ts';
import { createReference } from '../reference/server.ts';
import { createRest } from '../rest/server.ts';

/** Every protocol that the service speaks; a new one is a folder and a line here. */
export async function createDoors(
  service: Service,
  config: Config,
  { demoKey }: { demoKey: string | undefined },
): Promise<Door[]> {
  return [
    createRest(service, { version: VERSION, prices: config.prices }),
    createOpenai(service, config),
    createAiSdk(service),
    await createGraphql(service, { ...config.graphql, trustedDocuments: config.trustedDocuments }),
    createMcp(service, { ...config, version: VERSION }),
    createReference(),
    createPages(service, { demoKey }),
  ];
}
