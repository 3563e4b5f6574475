import type { Line } from './lines.ts';

export interface LabelledLine extends Line {
  /** What the line explains; may be empty. */
  label: string;
}

/** A text above or before lines that are indented further. */
interface Label {
  text: string;
  /** The least indentation of the lines that it applies to. */
  indent: number;
}

/** In characters. */
const LONGEST_LABEL = 80;
/** `-q    Be quiet.`: a label, two or more spaces, and its explanation. */
const LABEL_BEFORE = /^(\S(?:\S| (?! )){0,38})(\s{2,})(\S.*)$/;
const REMARK = /^(?:\$ )?(?:\/\/|#(?!!))\s*/;
/** A line that ends in a backslash goes on in the next one. */
const NO_LABEL = /[.!?:;,。！？\\]$/;

/**
 * Assigns labels to lines, as in manuals and lists of options:
 *
 *     -q, --quiet
 *         Write less.
 *
 * The label of a line of code is the comment above it. A label becomes a heading.
 */
export function withLabels(lines: Line[]): LabelledLine[] {
  let label: Label | undefined;
  let remark = '';
  return lines.map((line, at) => {
    const next = lines[at + 1];
    if (line.kind === 'blank') remark = '';
    else if (label && line.indent < label.indent) label = undefined;
    if (line.kind === 'code' && REMARK.test(line.text)) {
      remark = [remark, line.text.replace(REMARK, '')].join(' ').trim();
      return { ...line, kind: 'heading', label: '' };
    }
    if (line.kind === 'code') return { ...line, label: remark || (label?.text ?? '') };
    remark = '';
    const [before, explanation] = splitLabel(line, next, lines[at - 1]);
    if (!before) return { ...line, label: label?.text ?? '' };
    label = { text: before, indent: explanation?.indent ?? line.indent + 2 };
    return explanation
      ? { ...explanation, label: before }
      : { ...line, kind: 'heading', label: '' };
  });
}

/** The label at the start of a line, and the rest of the line; or the whole line as a label. */
function splitLabel(line: Line, next?: Line, before?: Line): [string?, Line?] {
  if (line.kind !== 'prose') return [];
  const [, label, gap, text] = LABEL_BEFORE.exec(line.text) ?? [];
  if (label !== undefined && gap !== undefined && text !== undefined) {
    const indent = line.indent + label.length + gap.length;
    const neighbours = [next?.indent, before?.indent];
    if (neighbours.includes(indent) || (label.length < 12 && gap.length > 2)) {
      return [label, { ...line, text, indent }];
    }
  }
  const isAbove = next && next.kind !== 'blank' && next.indent > line.indent + 1;
  const isLabel = line.text.length <= LONGEST_LABEL && !NO_LABEL.test(line.text);
  return isAbove && isLabel ? [line.text] : [];
}
