import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startAskedGateway } from './answers/asked-gateway.ts';
import { findFiles, loadChunks } from './answers/corpus.ts';
import { createKeywordSearch } from './answers/keyword-search.ts';
import { measure, type Scores } from './answers/measure.ts';
import { readQuestions } from './answers/questions.ts';
import { figure } from './report/figures.ts';
import { markdownTable } from './report/markdown.ts';
import { publish } from './report/publish.ts';

/* How well the offline models find and answer, through a gateway, beside BM25 over the same chunks. */

const { values: options } = parseArgs({
  options: {
    /** Other documents, as globs, with `--questions` of their own. */
    files: { type: 'string', multiple: true },
    /** Tables of questions, a line each: question, files, texts to find, with tabs between them. */
    questions: { type: 'string', multiple: true },
    /** Also prints what was not answered right. */
    missed: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});

const HERE = import.meta.dirname;
/**
 * Licences, which may be copied verbatim, and texts written for this project; a fixture of each
 * format; and the documentation that comes with packages which are installed anyway.
 */
const FILES = [
  'answers/documents/*',
  '../fixtures/documents/{annual-report.pdf,*.{csv,docx,epub,go,html,json,jsonl,md,pptx,py,srt,ts,tsv,txt,vtt,xlsx}}',
  '../../node_modules/{fastify,mercurius}/docs/**/*.md',
  '../../node_modules/pino/docs/*.md',
  '../../node_modules/{commander,openai,rate-limiter-flexible,zod}/*.md',
].map((pattern) => join(HERE, pattern));
/**
 * The constants of the models were tuned on the first of each pair only; their rules were also made
 * with the misses of `documentation-hold-out`.
 */
const QUESTIONS = [
  'documentation.tsv',
  'documentation-hold-out.tsv',
  'documents.tsv',
  'documents-hold-out.tsv',
].map((name) => join(HERE, 'answers/questions', name));

const files = await findFiles(options.files ?? FILES);
const chunks = await loadChunks(files);
const keywords = createKeywordSearch(chunks);
const gateway = await startAskedGateway(files);
try {
  const rows: Record<string, string>[] = [];
  for (const path of options.questions ?? QUESTIONS) {
    const scores = await measure(gateway, keywords, await readQuestions(path));
    rows.push(rowOf(path.replace(/^.*\/|\.\w+$/g, ''), scores));
    if (options.missed) printMissed(scores);
  }
  const corpus = `${files.length} files, ${chunks.length.toLocaleString('en')} chunks`;
  await publish(`${corpus}\n\n${markdownTable(rows)}`, options.out);
} finally {
  await gateway.close();
}

function rowOf(name: string, scores: Scores): Record<string, string> {
  const { answerable, unanswerable } = scores;
  return {
    questions: name,
    'right chunk in the first 8': `${scores.found}/${answerable}`,
    'BM25: in the first 8': `${scores.foundByKeywords}/${answerable}`,
    'in the sources': `${scores.inSources}/${answerable}`,
    'BM25: in as much text': `${scores.inKeywordText}/${answerable}`,
    'answered right': `${scores.answered}/${answerable}`,
    'wrongly "I do not know"': `${scores.refused}/${answerable}`,
    'rightly "I do not know"': `${scores.rightlyRefused}/${unanswerable}`,
    'ms an answer': figure(scores.medianMs),
  };
}

function printMissed({ missed }: Scores): void {
  for (const { question, result, inSources } of missed) {
    const [found] = question.find;
    const fault = !found ? 'answered' : inSources ? 'missed' : 'not found';
    console.log(`${fault}: ${question.ask} | ${found ?? '-'}\n    ${result}`);
  }
}
