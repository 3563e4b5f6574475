/** Error codes of Node (sockets, DNS), PostgreSQL and Prisma. */
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
  // Kinds of errors of Prisma's driver adapter.
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]);

/** Messages of `pg` errors that have no code. */
const MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/;

/** An error of `pg`, Prisma or its driver adapter, each of which may wrap another. */
interface Failure {
  code?: unknown;
  originalCode?: unknown;
  kind?: unknown;
  message?: unknown;
  cause?: Failure;
  meta?: { driverAdapterError?: Failure };
}

/**
 * Whether an error means that the database is temporarily unavailable: it restarts, fails over, is
 * unreachable or overloaded, or has run out of disk space, memory or connections. The same request
 * may succeed later.
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
