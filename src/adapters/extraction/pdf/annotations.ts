import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { commentText } from '../comment-text.ts';

/** A text that was put on a page, such as the value of a form field. Positions are those of the PDF. */
export interface AddedText {
  str: string;
  /** Of its base line, as of a text of the page. */
  transform: number[];
  width: number;
  height: number;
  fontName: string;
}

/** What pdf.js tells of an annotation, as far as it is used here. */
interface Annotation {
  subtype?: string;
  rect?: number[];
  annotationFlags?: number;
  contentsObj?: { str?: string };
  titleObj?: { str?: string };
  defaultAppearanceData?: { fontSize?: number };
  fieldType?: string;
  fieldValue?: string | string[] | null;
  password?: boolean;
  multiLine?: boolean;
  checkBox?: boolean;
  radioButton?: boolean;
  exportValue?: string;
  buttonValue?: string;
  options?: { exportValue: string; displayValue: string }[];
}

const COMMENTS = new Set(
  'Text Highlight Underline Squiggly StrikeOut Caret Line Square Circle Polygon PolyLine Ink Stamp'.split(
    ' ',
  ),
);
/** Flags of annotations that are not shown: hidden, and not to be viewed. */
const UNSEEN = 2 | 32;
/** In points, where the field does not say it. */
const USUAL_SIZE = 11;
/** In sizes of the text. */
const [LETTER_WIDTH, LINE_HEIGHT] = [0.5, 1.2];

/** The filled-in fields and the texts that were put on a page, and the comments on it. */
export async function annotationsOf(
  page: PDFPageProxy,
): Promise<{ texts: AddedText[]; comments: string[] }> {
  const all: Annotation[] = await page.getAnnotations();
  const shown = all.filter(({ annotationFlags = 0 }) => (annotationFlags & UNSEEN) === 0);
  const comments = shown.filter(({ subtype = '' }) => COMMENTS.has(subtype));
  return { texts: shown.flatMap(textsOf), comments: comments.flatMap(commentOf) };
}

function commentOf({ contentsObj, titleObj }: Annotation): string[] {
  const [text, author] = [contentsObj?.str, titleObj?.str].map((part) =>
    part?.replace(/\s+/g, ' ').trim(),
  );
  return text ? [commentText(text, { author })] : [];
}

/** The lines of an annotation, from its top. */
function textsOf(annotation: Annotation): AddedText[] {
  const { rect: [left = 0, bottom = 0, right = 0, top = 0] = [], defaultAppearanceData } =
    annotation;
  const lines = addedTextOf(annotation).split(/\r\n?|\n/);
  const height = (top - bottom) / (annotation.multiLine ? lines.length : 1);
  const size = defaultAppearanceData?.fontSize || Math.min(USUAL_SIZE, Math.max(1, 0.7 * height));
  // A text of one line is in the middle of its field.
  const first = top - (lines.length > 1 ? size : (top - bottom) / 2 + 0.3 * size);
  return lines.flatMap((line, index) => {
    const str = line.trim();
    if (!str) return [];
    const transform = [size, 0, 0, size, left, first - index * LINE_HEIGHT * size];
    const width = Math.min(right - left, LETTER_WIDTH * size * str.length);
    return { str, transform, width, height: size, fontName: '' };
  });
}

function addedTextOf(annotation: Annotation): string {
  const { subtype, contentsObj, fieldType, fieldValue, options = [] } = annotation;
  if (subtype === 'FreeText') return contentsObj?.str ?? '';
  if (subtype !== 'Widget' || annotation.password) return '';
  if (fieldType === 'Btn') return markOf(annotation);
  if (fieldType !== 'Tx' && fieldType !== 'Ch') return '';
  return [fieldValue ?? []]
    .flat()
    .map((value) => options.find((option) => option.exportValue === value)?.displayValue ?? value)
    .join(', ');
}

/** `[x]` or `[ ]`, as lists of tasks have them. */
function markOf({ checkBox, radioButton, fieldValue, ...button }: Annotation): string {
  if (!checkBox && !radioButton) return '';
  const value = checkBox ? button.exportValue : button.buttonValue;
  return fieldValue && fieldValue === value ? '[x]' : '[ ]';
}
