/** What the server refuses: HTTP status (nearly always 400), `statusCode`, `error`, `message`. */
const ROWS = {
  NoSuchKey: [400, '404', 'not_found', 'Object not found'],
  NoSuchBucket: [400, '404', 'Bucket not found', 'Bucket not found'],
  KeyAlreadyExists: [400, '409', 'Duplicate', 'The resource already exists'],
  BucketAlreadyExists: [400, '409', 'Duplicate', 'The resource already exists'],
  ResourceNotEmpty: [400, '409', 'Duplicate', 'The resource is not empty'],
  InvalidKey: [400, '400', 'InvalidKey', 'Invalid key: '],
  InvalidBucketName: [400, '400', 'Invalid Input', 'Bucket name invalid'],
  EntityTooLarge: [400, '413', 'Payload too large', 'The object exceeded the maximum allowed size'],
  InvalidMimeType: [400, '415', 'invalid_mime_type', 'Invalid Content-Type header'],
  InvalidRequest: [400, '400', 'Error', ''],
  InvalidParameter: [400, '400', 'InvalidParameter', 'Invalid Parameter expiresIn'],
  InvalidJWT: [400, '400', 'InvalidJWT', ''],
  InvalidSignature: [400, '400', 'InvalidSignature', 'Invalid signature'],
  AccessDenied: [400, '403', 'Unauthorized', 'new row violates row-level security policy'],
  InvalidRange: [416, '416', 'invalid_range', 'invalid range provided'],
  InternalError: [500, '500', 'Internal', 'Internal Server Error'],
  DatabaseError: [500, '500', 'DatabaseError', 'database error, code: 22023'],
  DatabaseTimeout: [544, '544', 'DatabaseTimeout', 'The connection to the database timed out'],
  DatabaseConnectionLimit: [
    400,
    '503',
    'DatabaseConnectionLimit',
    'The database has reached its maximum number of connections. Please try again later.',
  ],
  ResourceLocked: [400, '423', 'ResourceLocked', 'The resource is locked'],
  SlowDown: [429, '429', 'too_many_connections', 'Too many connections issued to the database'],
} as const satisfies Record<string, [number, string, string, string]>;

/** An answer that is an error: JSON, or text as it is. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: object | string;

  constructor(status: number, body: object | string) {
    super(JSON.stringify(body));
    this.status = status;
    this.body = body;
  }
}

/** @param text instead of the row's message */
export function refusal(code: keyof typeof ROWS, text?: string): Refusal {
  const [status, statusCode, error, message] = ROWS[code];
  return new Refusal(status, { statusCode, error, message: text ?? message, code });
}

/** A JSON body of more than 1 MiB. */
export function bodyTooLarge(): Refusal {
  const message = 'Request body is too large';
  return new Refusal(413, {
    statusCode: '413',
    error: 'FastifyError',
    message,
    code: 'EntityTooLarge',
  });
}

export function noRoute(method: string, path: string): Refusal {
  const message = `Route ${method}:${path} not found`;
  return new Refusal(404, {
    statusCode: '404',
    error: 'Not Found',
    message,
    code: 'InvalidRequest',
  });
}

/** Of another shape: with a number for its `statusCode`. */
export function badUrl(path: string): Refusal {
  return new Refusal(400, {
    error: 'Bad Request',
    code: 'FST_ERR_BAD_URL',
    message: `'${path}' is not a valid url component`,
    statusCode: 400,
  });
}

/** Of another shape, too. */
export function headersTooLarge(): Refusal {
  return new Refusal(431, {
    error: 'Request Header Fields Too Large',
    message: 'Exceeded maximum allowed HTTP header size',
    statusCode: 431,
  });
}
