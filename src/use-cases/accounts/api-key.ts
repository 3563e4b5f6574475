/** An API key of 32 bytes. */
export function toApiKey(bytes: Uint8Array): string {
  return `fq_${Buffer.from(bytes).toString('base64url')}`;
}
