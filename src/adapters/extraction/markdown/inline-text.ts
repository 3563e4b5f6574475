import type { Token } from 'markdown-it';
import { asSuperscript } from '../superscript.ts';

const LINE_BREAK_TAG = /^<br\b/i;
const SUPERSCRIPT = /^<sup\b/i;
const SUPERSCRIPT_END = /^<\/sup\b/i;
const IMAGE_TAG = /^<img\b/i;
const ALTERNATIVE = /\salt\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

/** What a line of Markdown says: texts of links, alternative texts of images, no tags. */
export function inlineText(tokens: Token[]): string {
  let [base, isRaised] = ['', false];
  const texts = tokens.map((token) => {
    const text = textOf(token);
    if (token.type === 'html_inline') {
      isRaised =
        SUPERSCRIPT.test(token.content) || (isRaised && !SUPERSCRIPT_END.test(token.content));
    }
    if (isRaised) return asSuperscript(text, base);
    base = text || base;
    return text;
  });
  return texts.join('');
}

function textOf({ type, content, children }: Token): string {
  if (type === 'softbreak') return ' ';
  if (type === 'hardbreak') return '\n';
  if (type === 'image') return inlineText(children ?? []);
  if (type === 'html_inline') return textOfTag(content);
  return content;
}

function textOfTag(tag: string): string {
  if (LINE_BREAK_TAG.test(tag)) return '\n';
  if (!IMAGE_TAG.test(tag)) return '';
  const [, ...values] = ALTERNATIVE.exec(tag) ?? [];
  return values.find((value) => value !== undefined) ?? '';
}
