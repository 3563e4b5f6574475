/* What a server of OpenAI's protocol writes. */

export function embeddingsBody(embedding: string | number[]): string {
  const data = [{ object: 'embedding', index: 0, embedding }];
  const usage = { prompt_tokens: 1, total_tokens: 1 };
  return JSON.stringify({ object: 'list', model: 'text-embedding-3-small', data, usage });
}

/** One piece of a streamed answer. */
export function pieceOf(delta: object, end: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: end }];
  const chunk = { id: 'chat', object: 'chat.completion.chunk', model: 'gpt-4.1-mini', choices };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
