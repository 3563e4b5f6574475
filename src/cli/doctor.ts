import type { Backstage } from '../backstage.ts';
import { type Config, describeSettings } from '../config.ts';
import { OperatorError } from '../core/errors.ts';
import { type Outcome, table } from './output.ts';

/**
 * Prints the settings, secrets hidden, and tries every part.
 *
 * @param open rejects with an OperatorError when the parts cannot even be put together
 */
export async function doctor(open: () => Promise<Backstage>, config: Config): Promise<Outcome> {
  const settings = describeSettings();
  const parts = {
    database: config.database.kind,
    storage: config.storage.kind,
    answers: named(config.models.answers),
    embeddings: named(config.models.embeddings),
    transcription: named(config.models.transcription),
    rateLimits: config.rateLimits.kind,
  };
  const failing = await tryAll(open);
  const checks = Object.entries(failing);
  const text = [
    table(settings, ''),
    '',
    ...Object.entries(parts).map(([part, kind]) => `${part}: ${kind}`),
    '',
    ...checks.map(([part, reason]) => `${part} FAILS: ${reason}`),
    checks.length === 0 ? 'Everything answers.' : 'Not everything answers.',
  ].join('\n');
  return { data: { settings, parts, failing }, text, failed: checks.length > 0 };
}

async function tryAll(open: () => Promise<Backstage>): Promise<Record<string, string>> {
  try {
    const backstage = await open();
    return await backstage.checkAll().finally(() => backstage.close());
  } catch (error) {
    if (error instanceof OperatorError) return { start: error.message };
    throw error;
  }
}

function named({ kind, model }: { kind: string; model?: string }): string {
  return model ? `${kind}, ${model}` : kind;
}
