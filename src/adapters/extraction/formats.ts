import type { Reader } from './reader.ts';

export interface Format {
  extensions: readonly string[];
  mimeType: string;
  /** Loads the reader, and with it the libraries of no other format. */
  load(): Promise<Reader>;
}

const readDocument = async () => (await import('./readers/read-document.ts')).readDocument;
const readWorkbook = async () => (await import('./readers/read-workbook.ts')).readWorkbook;
const tables = () => import('./readers/read-table.ts');
const json = () => import('./readers/read-json.ts');
const subtitles = () => import('./readers/read-subtitles.ts');

const OPEN_XML = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';

/** Formats that are identified by their content. */
export const DOCUMENTS: Readonly<Record<string, Format>> = {
  pdf: format(
    'pdf',
    'application/pdf',
    async () => (await import('./readers/read-pdf.ts')).readPdf,
  ),
  docx: format('docx docm dotx dotm', `${OPEN_XML}.wordprocessingml.document`, readDocument),
  xlsx: format('xlsx xlsm xltx xltm', `${OPEN_XML}.spreadsheetml.sheet`, readWorkbook),
  xls: format('xls xlsb', 'application/vnd.ms-excel', readWorkbook),
  pptx: format('pptx pptm potx potm ppsx', `${OPEN_XML}.presentationml.presentation`, readDocument),
  odt: format('odt ott', `${OPEN_DOCUMENT}.text`, readDocument),
  ods: format('ods ots', `${OPEN_DOCUMENT}.spreadsheet`, readWorkbook),
  odp: format('odp otp', `${OPEN_DOCUMENT}.presentation`, readDocument),
  rtf: format('rtf', 'application/rtf', readDocument),
  epub: format('epub', 'application/epub+zip', readDocument),
};

/** Text formats, identified by name. `text` is used without an extension, and for unknown ones. */
export const TEXTS: Readonly<Record<string, Format>> = {
  text: format('', 'text/plain', async () => (await import('./readers/read-text.ts')).readText),
  markdown: format(
    'md markdown mdown mkd',
    'text/markdown',
    async () => (await import('./readers/read-markdown.ts')).readMarkdown,
  ),
  html: format(
    'html htm xhtml',
    'text/html',
    async () => (await import('./readers/read-html.ts')).readHtml,
  ),
  csv: format('csv', 'text/csv', async () => (await tables()).readCsv),
  tsv: format('tsv tab', 'text/tab-separated-values', async () => (await tables()).readTsv),
  json: format('json geojson', 'application/json', async () => (await json()).readJson),
  ipynb: format(
    'ipynb',
    'application/x-ipynb+json',
    async () => (await import('./readers/read-notebook.ts')).readNotebook,
  ),
  jsonl: format('jsonl ndjson', 'application/jsonl', async () => (await json()).readJsonLines),
  srt: format('srt', 'application/x-subrip', async () => (await subtitles()).readSrt),
  vtt: format('vtt', 'text/vtt', async () => (await subtitles()).readVtt),
};

/** Texts that are made of other files. */
const DERIVED: typeof DOCUMENTS = {
  recognized: format(
    '',
    'text/markdown',
    async () => (await import('./readers/read-recognized.ts')).readRecognized,
  ),
};

/** Images by their MIME types, in which a model recognizes text. */
export const IMAGES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** For users. */
export const READABLE =
  'PDF, Word, Excel, PowerPoint, OpenDocument, RTF, EPUB, HTML, Markdown, CSV, TSV, JSON, ' +
  'Jupyter notebooks, subtitles, source code and any other text, audio and video';

/** The format for an extension (without the dot), if there is one. */
export function formatOf(extension: string, formats: typeof DOCUMENTS): string | undefined {
  return Object.keys(formats).find((name) => formats[name]?.extensions.includes(extension));
}

export function loadReader(format: string): Promise<Reader> {
  const known = DOCUMENTS[format] ?? TEXTS[format] ?? DERIVED[format];
  if (!known) throw new Error(`There is no reader for ${format}.`);
  return known.load();
}

function format(extensions: string, mimeType: string, load: Format['load']): Format {
  return { extensions: extensions.split(' '), mimeType, load };
}
