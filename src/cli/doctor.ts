import type { Backstage } from '../backstage.ts';
import { type Config, describeSettings } from '../config.ts';
import { type Outcome, table } from './output.ts';

/** Prints the settings, secrets hidden, and tries every part. */
export async function doctor(backstage: Backstage, config: Config): Promise<Outcome> {
  const settings = describeSettings();
  const parts = {
    database: config.database.kind,
    storage: config.storage.kind,
    answers: named(config.models.answers),
    embeddings: named(config.models.embeddings),
    transcription: named(config.models.transcription),
    rateLimits: config.rateLimits.kind,
  };
  const failing = await backstage.check();
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

function named({ kind, model }: { kind: string; model?: string }): string {
  return model ? `${kind}, ${model}` : kind;
}
