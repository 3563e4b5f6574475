import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Prints a report.
 *
 * @param out where it also goes, as `.md`, and its chart as `.svg`
 */
export async function publish(report: string, out: string | undefined, chart?: string) {
  console.log(report);
  if (!out) return;
  await mkdir(dirname(out), { recursive: true });
  await writeFile(`${out}.md`, `${report}\n`);
  if (chart !== undefined) await writeFile(`${out}.svg`, chart);
}
