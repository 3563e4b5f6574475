import { join } from 'node:path';
import { createExtractiveAnswers } from '../../src/adapters/offline/extractive-answers.ts';
import { createLexicalEmbeddings } from '../../src/adapters/offline/lexical-embeddings.ts';
import { loadChunks } from './answers/corpus.ts';
import { createKeywordSearch, type Search } from './answers/keyword-search.ts';
import { measureAnswers, measureRetrieval, measureSpeed } from './answers/measure.ts';
import { TUNING } from './answers/questions.ts';
import { HOLD_OUT } from './answers/questions-hold-out.ts';
import { createVectorSearch } from './answers/vector-search.ts';

/** Licences, which may be copied verbatim, and texts written for this project. */
const DOCUMENTS = 'bench/answers/documents/*';
/** One file of each text: some are there in several formats. */
const FIXTURES =
  'fixtures/documents/{annual-report.pdf,*.{csv,docx,epub,go,html,json,jsonl,md,pptx,py,srt,ts,tsv,txt,vtt,xlsx}}';

/** How well the offline models find and answer, against BM25 over the same chunks. */
const embeddings = createLexicalEmbeddings();
const answers = createExtractiveAnswers();
const chunks = await loadChunks(
  [DOCUMENTS, FIXTURES].map((files) => join(import.meta.dirname, '..', files)),
);
const searches: Record<string, Search> = {
  [embeddings.name]: await createVectorSearch(embeddings, chunks),
  'BM25 (minisearch)': createKeywordSearch(chunks),
};

for (const [half, questions] of Object.entries({ tuning: TUNING, 'hold-out': HOLD_OUT })) {
  const retrieval: Record<string, object> = {};
  const answered: Record<string, object> = {};
  for (const [name, search] of Object.entries(searches)) {
    const { answerable, hitAt1, hitAt8, mrr } = await measureRetrieval(search, questions);
    const unanswerable = questions.length - answerable;
    retrieval[name] = {
      'hit@1': rate(hitAt1, answerable),
      'hit@8': rate(hitAt8, answerable),
      MRR: mrr.toFixed(3),
    };
    const scores = await measureAnswers(answers, search, questions);
    answered[`${name} + ${answers.name}`] = {
      'answerable: right': rate(scores.right, answerable),
      wrong: rate(scores.wrong, answerable),
      "don't know": rate(scores.refused, answerable),
      "unanswerable: don't know": rate(scores.rightlyRefused, unanswerable),
      answered: rate(scores.invented, unanswerable),
    };
  }
  console.log(`\n${half}: ${questions.length} questions over ${chunks.length} chunks`);
  console.table(retrieval);
  console.table(answered);
}

const speed = await measureSpeed(embeddings, chunks);
console.log(
  `\n${embeddings.name}: ${speed.toLocaleString('en')} chunks of 1,200 characters a second`,
);

function rate(count: number, of: number): string {
  return `${count}/${of} (${Math.round((100 * count) / of)}%)`;
}
