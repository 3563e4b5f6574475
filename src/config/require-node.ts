/* Imports nothing, so that it loads in every version of Node.js that has modules. */

/** The oldest major version of Node.js that filequery runs on. */
const OLDEST = 24;

/** Ends the process with one line when Node.js is too old. */
export function requireNode(): void {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= OLDEST) return;
  process.stderr.write(`filequery needs Node.js ${OLDEST} or later; this is Node.js ${node}\n`);
  process.exit(1);
}
