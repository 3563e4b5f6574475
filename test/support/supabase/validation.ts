import { refusal } from './refusals.ts';

type Body = Record<string, unknown>;

/** `exp` may be as late as a number can say in milliseconds. */
const LAST_SECOND = Math.floor(Number.MAX_SAFE_INTEGER / 1000);

/** Texts and booleans count as the numbers they look like. */
export function readExpiresIn({ expiresIn }: Body): number {
  if (expiresIn === undefined) {
    throw refusal('InvalidRequest', "body must have required property 'expiresIn'");
  }
  const seconds = Number(expiresIn);
  if (!Number.isInteger(seconds)) {
    throw refusal('InvalidRequest', 'body/expiresIn must be integer');
  }
  if (seconds < 1) throw refusal('InvalidRequest', 'body/expiresIn must be >= 1');
  if (Date.now() / 1000 + seconds > LAST_SECOND) throw refusal('InvalidParameter');
  return seconds;
}

/** One path counts as a list of one. */
export function readPaths(body: Body, name: 'paths' | 'prefixes', most: number): string[] {
  const paths = [body[name] ?? []].flat().map(String);
  if (paths.length === 0) {
    throw refusal('InvalidRequest', `body/${name} must NOT have fewer than 1 items`);
  }
  if (paths.length > most) {
    const text =
      name === 'paths'
        ? `body/paths must NOT have more than ${most} items`
        : `Bulk object requests are limited to ${most} objects per request.`;
    throw refusal('InvalidRequest', text);
  }
  return paths;
}
