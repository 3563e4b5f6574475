/** In bytes of UTF-8: approximately right for the tokenizers of current language models, in any script. */
const BYTES_A_TOKEN = 4;

/** The approximate number of tokens of a text. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN);
}

/** The beginning of a text, in whole characters, with approximately this number of tokens. */
export function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  const bytes = Buffer.from(text).subarray(0, tokens * BYTES_A_TOKEN);
  // With `stream`, an incomplete last character is held back, and so dropped.
  return `${new TextDecoder().decode(bytes, { stream: true })} …`;
}
