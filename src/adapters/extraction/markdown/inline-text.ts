import type { Token } from 'markdown-it';

const LINE_BREAK_TAG = /^<br\b/i;
const IMAGE_TAG = /^<img\b/i;
const ALTERNATIVE = /\salt\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

/** What a line of Markdown says: texts of links, alternative texts of images, no tags. */
export function inlineText(tokens: Token[]): string {
  return tokens.map(textOf).join('');
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
