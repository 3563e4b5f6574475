/**
 * The credential of a request, from the header `Authorization: Bearer ...` or else `x-easyrag-key`;
 * `undefined` when there is none.
 */
export function readCredential({ headers }: Request): string | undefined {
  const bearer = /^bearer\s+(\S.*?)\s*$/i.exec(headers.get('authorization') ?? '')?.[1];
  return bearer ?? (headers.get('x-easyrag-key')?.trim() || undefined);
}
