/** In bytes of UTF-8: about right for the encodings of present language models, in any script. */
const BYTES_A_TOKEN = 4;

/** About how many tokens a text is to a language model. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN);
}

/** The beginning of a text that is about as many tokens, whole characters only. */
export function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  const bytes = Buffer.from(text).subarray(0, tokens * BYTES_A_TOKEN);
  // A stream waits for the rest of the last character, which never comes.
  return `${new TextDecoder().decode(bytes, { stream: true })} …`;
}
