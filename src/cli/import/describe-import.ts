import { inBytes } from '../sizes.ts';
import type { ImportSummary } from './import-progress.ts';

export function describeSummary(summary: ImportSummary): string {
  const { imported, bytes, skipped, removed, failed, remaining } = summary;
  return [
    `${imported} imported (${inBytes(bytes)})`,
    `${skipped} already there`,
    ...(removed > 0 ? [`${removed} outdated removed`] : []),
    `${failed} failed`,
    ...(remaining > 0 ? [`${remaining} not started: run it again to continue`] : []),
  ].join(', ');
}
