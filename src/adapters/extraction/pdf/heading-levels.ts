import { type TextBlock, textOf } from './blocks.ts';

/** The font of most of the text. */
export interface Body {
  /** In points. */
  size: number;
  bold: boolean;
  indent: number;
}

/** The font of a heading, and other indications of its level. */
interface Style {
  size: number;
  bold: boolean;
  /** Of its number: 2 for `1.1`. */
  depth: number;
  /** How far left of the text it begins, in steps. */
  outdent: number;
}

export const NUMBER = /^(?:(?:\d{1,3}|[A-Z])(?:\.\d{1,3})*\.?|[IVXL]{1,6}\.|§\s?\d+)\s+(?=\S)/u;

/** The levels of headings. Without an entry in the outline, the style determines the level. */
export function levelsOf(headings: TextBlock[], known: Map<TextBlock, number>, body: Body) {
  const least = new Map<string, number>();
  for (const block of headings) {
    const depth = numberDepth(textOf(block));
    if (depth) least.set(typeOf(block), Math.min(depth, least.get(typeOf(block)) ?? depth));
  }
  const styles = new Map<string, { style: Style; level: number | undefined }>();
  const styleKeys = new Map<TextBlock, string>();
  for (const block of headings) {
    const depth = numberDepth(textOf(block)) || (least.get(typeOf(block)) ?? 0);
    const outdent = Math.max(0, Math.round((body.indent - block.indent) / (2 * body.size)));
    const style = { size: rounded(block.size), bold: block.bold, depth, outdent };
    const key = Object.values(style).join(' ');
    styleKeys.set(block, key);
    const levels = [styles.get(key)?.level, known.get(block)].filter(
      (level) => level !== undefined,
    );
    styles.set(key, { style, level: levels.length > 0 ? Math.min(...levels) : undefined });
  }

  const levels = new Map<string, number>();
  let above = 0;
  for (const [key, { level }] of [...styles].toSorted(([, a], [, b]) =>
    compare(a.style, b.style),
  )) {
    above = level ?? above + 1;
    levels.set(key, above);
  }
  return new Map(
    headings.map((block) => [
      block,
      known.get(block) ?? levels.get(styleKeys.get(block) ?? '') ?? 1,
    ]),
  );
}

function compare(a: Style, b: Style): number {
  return (
    b.size - a.size || Number(b.bold) - Number(a.bold) || a.depth - b.depth || b.outdent - a.outdent
  );
}

/** The font size and weight of a block, as a key. */
export function typeOf({ size, bold }: TextBlock): string {
  return `${rounded(size)} ${bold}`;
}

/** 2 for `1.1 Title`, 0 for a title without a number. */
function numberDepth(text: string): number {
  const number = NUMBER.exec(text)?.[0].trim().replace(/\.$/, '');
  return number ? number.split('.').length : 0;
}

/** To half a point. */
export function rounded(size: number): number {
  return Math.round(2 * size) / 2;
}
