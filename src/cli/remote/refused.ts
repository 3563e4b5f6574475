/** An answer of a gateway that repeats do not change, or that came once too often. */
export class RefusedError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What a gateway said against a request, in one line. Reads the body. */
export async function refusalOf(response: Response): Promise<RefusedError> {
  const text = await response.text();
  return new RefusedError(response.status, reasonIn(text) ?? `it answered ${response.status}`);
}

/** Whether the next request would fare no better: the credential is wrong, or spent, or nobody answers. */
export function isFinal({ status }: RefusedError): boolean {
  return [401, 402, 403, 502, 503, 504].includes(status);
}

function reasonIn(text: string): string | undefined {
  try {
    const { message, error, errors } = JSON.parse(text);
    return message ?? error ?? errors?.[0]?.message;
  } catch {
    return undefined;
  }
}
