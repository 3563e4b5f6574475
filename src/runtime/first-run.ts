import type { App } from './app.ts';

const DEMO_CREDITS = '1000';

/**
 * Prints the URL of the gateway. If the embedded database is empty, also creates a demo customer and
 * prints its API key, which is not shown again, with example commands.
 */
export async function prepareFirstRun(
  url: string,
  { admin, demoKey }: Pick<App, 'admin' | 'demoKey'>,
): Promise<void> {
  const print = (text: string) => process.stdout.write(`${text}\n`);
  print(`filequery is at ${url} (GraphiQL: ${url}/graphql)`);
  if (demoKey === undefined || !(await admin.isNew())) return;

  const { apiKey } = await admin.createCustomer({
    id: 'demo',
    name: 'demo',
    credits: DEMO_CREDITS,
    apiKey: demoKey,
  });
  const bearer = `-H "Authorization: Bearer ${apiKey}"`;
  print(`
A customer "demo" with ${DEMO_CREDITS} credits is there to try it. Its API key, shown this once:

  ${apiKey}

Upload a file, list the files, and ask:

  curl ${bearer} -F datasetId=docs -F file=@README.md ${url}/v1/files/upload
  curl ${bearer} "${url}/v1/files?datasetId=docs"
  curl -N ${bearer} -H "Content-Type: application/json" \\
    -d '{"datasetId":"docs","question":"How do I start the gateway?"}' ${url}/v1/query
`);
}
