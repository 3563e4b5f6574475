import { type Config, describeSettings } from '../config/config.ts';
import { VERSION } from '../config/version.ts';
import { ConfigurationError } from '../core/errors.ts';
import type { Intents, Operator } from '../runtime/operator.ts';
import { type Outcome, table } from './output.ts';

/** Prints the versions and the settings, without secrets, and checks every part. */
export async function doctor(
  operator: Operator,
  config: Config,
  environment?: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const settings = describeSettings(environment);
  const parts = {
    database: config.database.kind,
    storage: config.storage.kind,
    answers: describeModel(config.models.answers),
    embeddings: describeModel(config.models.embeddings),
    transcription: describeModel(config.models.transcription),
    recognition: describeModel(config.models.recognition),
    rateLimits: config.rateLimits.kind,
  };
  const { failing, intents } = await checkAll(operator);
  const checks = Object.entries(failing);
  const versions = { filequery: VERSION, node: process.versions.node };
  const text = [
    `filequery ${versions.filequery}, Node.js ${versions.node}`,
    '',
    table(settings, ''),
    '',
    ...Object.entries(parts).map(([part, kind]) => `${part}: ${kind}`),
    ...(intents ? [`open intents: ${describeIntents(intents)}`] : []),
    '',
    ...checks.map(([part, reason]) => `${part} FAILS: ${reason}`),
    checks.length === 0 ? 'Everything answers.' : 'Not everything answers.',
  ].join('\n');
  return { data: { versions, settings, parts, intents, failing }, text, failed: checks.length > 0 };
}

/** Intents are missing when the database cannot be queried. */
async function checkAll(
  operator: Operator,
): Promise<{ failing: Record<string, string>; intents?: Intents | undefined }> {
  try {
    const failing = await operator.checkAll();
    const { countIntents } = await operator.maintenance();
    return { failing, intents: await countIntents().catch(() => undefined) };
  } catch (error) {
    if (error instanceof ConfigurationError) return { failing: { start: error.message } };
    throw error;
  }
}

function describeIntents({ files, charges, oldestSeconds }: Intents): string {
  const oldest = files + charges > 0 ? `, the oldest ${oldestSeconds} s old` : '';
  return `${files} files, ${charges} charges${oldest}`;
}

function describeModel({ kind, model }: { kind: string; model?: string }): string {
  return model ? `${kind}, ${model}` : kind;
}
