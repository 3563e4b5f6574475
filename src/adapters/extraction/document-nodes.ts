import type { OfficeContentNode } from 'officeparser';
import { commentText } from './comment-text.ts';
import { asSuperscript } from './superscript.ts';

/** Inline nodes. */
export const INLINE = new Set(['text', 'break', 'image', 'chart', 'drawing', 'embed']);

export function textOf(node: OfficeContentNode): string {
  const { children = [] } = node;
  // Where a page ended when it was last shown, maybe within a sentence.
  if (breakOf(node) === 'lastRenderedPage') return '';
  if (node.type === 'break') return '\n';
  if (node.type === 'image') return node.metadata?.altText ?? '';
  if (node.type === 'table') return `(${children.map(rowText).join('; ')})`;
  // The parser joins blocks without a space, and leaves out tables.
  if (node.text && children.every((child) => INLINE.has(child.type) && isInText(child))) {
    return node.text;
  }
  const texts = children.map((child, index) =>
    INLINE.has(child.type)
      ? inlineText(child, children[index - 1])
      : `\n${markerOf(child)}${textOf(child)}`,
  );
  return texts.join('');
}

export function inlineText(node: OfficeContentNode, before?: OfficeContentNode): string {
  const text = textOf(node);
  if (!before) return endsPage(node) ? '' : text;
  if (isRaised(node)) return asSuperscript(text, textOf(before));
  const isImage = node.type === 'image' || before.type === 'image';
  // The description of an image is not part of the word beside it.
  return isImage && /^\S/.test(text) && /\S$/.test(textOf(before)) ? ` ${text}` : text;
}

/** Whether the text of its parent says what it does. */
function isInText(node: OfficeContentNode): boolean {
  return !isRaised(node) && !endsPage(node);
}

/** Whether its author ends a page or a column here. */
function endsPage(node: OfficeContentNode): boolean {
  return ['page', 'column'].includes(breakOf(node) ?? '');
}

function breakOf(node: OfficeContentNode): string | undefined {
  return node.type === 'break' ? node.metadata?.breakType : undefined;
}

function isRaised(node: OfficeContentNode): boolean {
  return node.type === 'text' && node.formatting?.superscript === true;
}

/** The text of a row within a cell. */
function rowText({ children = [] }: OfficeContentNode): string {
  const texts = children.map((cell) => textOf(cell).trim());
  return texts.filter(Boolean).join(' | ');
}

export function markerOf(node: OfficeContentNode): string {
  if (node.type !== 'list' || !node.metadata) return '';
  const { listType, itemIndex, indentation } = node.metadata;
  return '  '.repeat(indentation) + (listType === 'ordered' ? `${itemIndex + 1}. ` : '- ');
}

/** The cells of a row, and the blocks in them. */
export function* blocksIn({ children = [] }: OfficeContentNode): Generator<OfficeContentNode> {
  for (const child of children) {
    if (INLINE.has(child.type)) continue;
    yield child;
    yield* blocksIn(child);
  }
}

/** The notes to a node or to its text. */
export function notesOf(node: OfficeContentNode): OfficeContentNode[] {
  return withText(node).flatMap(({ notes = [] }) => notes);
}

/** The comments on a node or on its text. */
export function commentsOf(node: OfficeContentNode): string[] {
  return withText(node).flatMap(({ comments = [] }) =>
    comments.map(({ type, metadata, text }) => {
      const author = type === 'comment' ? metadata?.author : undefined;
      return commentText(text ?? '', { author });
    }),
  );
}

function withText(node: OfficeContentNode): OfficeContentNode[] {
  return [node, ...(node.children ?? []).filter(({ type }) => INLINE.has(type))];
}
