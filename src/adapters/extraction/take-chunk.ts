import type { CountTokens } from './count-tokens.ts';
import { type SizedPassage, splitPassage } from './sized-passages.ts';

interface Options {
  /** Tokens in the chunk, at most. */
  limit: number;
  /** Leading passages that repeat the chunk before. The chunk ends after them. */
  repeated: number;
  count: CountTokens;
}

/**
 * Takes the passages of one chunk off the start of a list. The chunk ends at the best boundary in
 * its second half. Without one, the passage that crosses the limit is split.
 */
export function takeChunk(
  pending: readonly SizedPassage[],
  { limit, repeated, count }: Options,
): { taken: SizedPassage[]; rest: SizedPassage[] } {
  const passages = [...pending];
  let [end, tokens] = [0, 0];
  let best: { end: number; boundary: number } | undefined;
  for (let passage = passages[0]; passage; passage = passages[end]) {
    if (tokens + passage.tokens > limit) {
      if (best) return splitAt(passages, best.end);
      const parts = splitPassage(passage, count);
      if (parts.length > 1) {
        passages.splice(end, 1, ...parts);
        continue;
      }
      if (end > repeated) break;
    }
    tokens += passage.tokens;
    end += 1;
    const boundary = passages[end]?.boundary ?? 0;
    const mayEnd = end > repeated && tokens >= limit / 2;
    if (mayEnd && boundary >= (best?.boundary ?? 0)) best = { end, boundary };
  }
  return splitAt(passages, end);
}

export function tokensOf(passages: readonly SizedPassage[]): number {
  return passages.reduce((sum, { tokens }) => sum + tokens, 0);
}

function splitAt(passages: SizedPassage[], end: number) {
  return { taken: passages.slice(0, end), rest: passages.slice(end) };
}
