/** In bytes of UTF-8: about right for the encodings of present language models, in any script. */
const BYTES_A_TOKEN = 4;

/** About how many tokens a text is to a language model. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN);
}
