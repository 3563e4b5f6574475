/**
 * The credential of a request, from the header `Authorization: Bearer ...` or else `x-easyrag-key`;
 * `undefined` when there is none.
 */
export function readCredential({ headers }: Request): string | undefined {
  // Not with \s* at its end, which takes time quadratic in the number of spaces.
  const bearer = /^bearer\s+(\S.*)$/i.exec(headers.get('authorization') ?? '')?.[1]?.trimEnd();
  return bearer ?? (headers.get('x-easyrag-key')?.trim() || undefined);
}
