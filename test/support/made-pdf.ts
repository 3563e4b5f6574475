/** A text on a page, in points from its bottom left. */
export interface PdfText {
  /** As its glyphs stand from left to right. */
  glyphs: string;
  x: number;
  y: number;
  size?: number;
  /** Anticlockwise, in degrees. */
  angle?: number;
  /** Whether it is the item of a list, whose bullet is a shape. */
  item?: boolean;
}

export interface PdfPage {
  texts: PdfText[];
  /** An image below them, of one shade: 0 is black, 255 white. It covers the page. */
  scan?: number;
  /** How the viewer is to turn the page, clockwise, in degrees. */
  rotate?: number;
  width?: number;
  height?: number;
}

/** U+FEFB, which stands for one glyph of two letters. */
export const LAM_ALEF = '\ufefb';

const DESCRIPTOR =
  '<</Type/FontDescriptor/FontName/Made/Flags 4/ItalicAngle 0/Ascent 800/Descent -200/StemV 80/FontBBox[0 -200 1000 800]>>';

/** Characters by their numbers, full-width ones from U+3000 on. */
const FONTS = [
  '<</Type/Font/Subtype/Type0/BaseFont/Made/Encoding/Identity-H/DescendantFonts[4 0 R]/ToUnicode 5 0 R>>',
  '<</Type/Font/Subtype/CIDFontType2/BaseFont/Made/DW 500/W[12288 64255 1000]/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor 6 0 R>>',
  stream(
    '/CMapName/Made def 1 begincodespacerange <0000> <ffff> endcodespacerange ' +
      '1 beginbfchar <fefb> <06440627> endbfchar 2 beginbfrange <0020> <fefa> <0020> <fefc> <ffff> <fefc> endbfrange endcmap',
  ),
  DESCRIPTOR,
];

/** Chinese characters, by a character map that readers of PDFs must have: the file names it. */
export const CHINESE_FONTS = [
  '<</Type/Font/Subtype/Type0/BaseFont/Made/Encoding/UniGB-UCS2-H/DescendantFonts[4 0 R]>>',
  '<</Type/Font/Subtype/CIDFontType0/BaseFont/Made/DW 1000/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 0>>/FontDescriptor 6 0 R>>',
  'null ',
  DESCRIPTOR,
];

/** A PDF with these texts, in a font that is named but not there, as it has no outlines to show. */
export function madePdf(pages: PdfPage[], fonts = FONTS): Uint8Array<ArrayBuffer> {
  const firstPage = 3 + fonts.length;
  const kids = pages.map((_, index) => `${firstPage + 2 * index} 0 R`);
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages.length}/Kids[${kids.join(' ')}]>>`,
    ...fonts,
    ...pages.flatMap(({ texts, scan, rotate = 0, width = 595, height = 842 }, index) => [
      `<</Type/Page/Parent 2 0 R/Rotate ${rotate}/MediaBox[0 0 ${width} ${height}]` +
        `/Resources<</Font<</F 3 0 R>>>>/Contents ${firstPage + 2 * index + 1} 0 R>>`,
      stream([imageOf(scan, width, height), ...texts.map(operatorsOf)].join('\n')),
    ]),
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj${object}endobj\n`).join('');
  const trailer = `trailer<</Root 1 0 R/Size ${objects.length + 1}>>`;
  return new TextEncoder().encode(`%PDF-1.4\n${body}${trailer}\n%%EOF`);
}

/** The glyphs of a text that is read from right to left. */
export function rightToLeft(text: string): string {
  return [...text].reverse().join('');
}

function imageOf(shade: number | undefined, width: number, height: number): string {
  if (shade === undefined) return '';
  const image = `BI /W 1 /H 1 /CS /G /BPC 8 /F /AHx ID ${shade.toString(16).padStart(2, '0')}> EI`;
  return `q ${width} 0 0 ${height} 0 0 cm ${image} Q`;
}

function operatorsOf({ glyphs, x, y, size = 11, angle = 0, item }: PdfText): string {
  const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const codes = [...glyphs].map((glyph) => glyph.charCodeAt(0).toString(16).padStart(4, '0'));
  const matrix = [cos, sin, -sin, cos, x, y].map((number) => number.toFixed(4)).join(' ');
  const text = `BT /F ${size} Tf ${matrix} Tm <${codes.join('')}> Tj ET`;
  return item ? `/Lbl <</MCID 0>> BDC EMC /LBody <</MCID 1>> BDC ${text} EMC` : text;
}

function stream(content: string): string {
  return `<</Length ${content.length}>>stream\n${content}\nendstream `;
}
