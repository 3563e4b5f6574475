/** Codes of sockets and names (Node), of connections and servers (PostgreSQL), and of both (Prisma). */
const CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // https://www.postgresql.org/docs/current/errcodes-appendix.html; class 08 is below.
  '25006',
  '53100',
  '53200',
  '53300',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  // https://www.prisma.io/docs/orm/reference/error-reference
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  // The kinds that Prisma's driver adapter knows.
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]);

/** What `pg` says when it has no code for it. */
const MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/;

/** A failure as `pg`, Prisma and its driver adapter write it: each may wrap the one below. */
interface Failure {
  code?: unknown;
  originalCode?: unknown;
  kind?: unknown;
  message?: unknown;
  cause?: Failure;
  meta?: { driverAdapterError?: Failure };
}

/**
 * Whether a failure means that the database cannot work for the moment (it restarts, fails over, is
 * cut off, busy, or out of disk space, memory or connections), and that the same request may succeed later.
 */
export function isOutage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, originalCode, kind, message, cause, meta }: Failure = error;
  return (
    [code, originalCode, kind].some(isCode) ||
    (typeof message === 'string' && MESSAGES.test(message)) ||
    isOutage(cause) ||
    isOutage(meta?.driverAdapterError)
  );
}

function isCode(code: unknown): boolean {
  return typeof code === 'string' && (CODES.has(code) || /^08\w{3}$/.test(code));
}
