import type { Citation } from '../../core/answer.ts';
import type { AnswerPiece } from '../../core/citation-marks.ts';
import type { SearchHit } from '../../core/model.ts';
import type { SupportsStatement } from '../../ports/supports-statement.ts';
import { startOfStatement } from './start-of-statement.ts';

/** A statement, and the numbers of the documents that it cites. */
interface CitedStatement {
  start: number;
  end: number;
  documents: Set<number>;
}

/**
 * Turns the marks of an answer into citations, which follow the text of their statement. Marks without a
 * matching source are dropped, and so are marks without a statement.
 */
export async function* cite(
  pieces: AsyncIterable<AnswerPiece>,
  sources: SearchHit[],
  supports: SupportsStatement,
): AsyncGenerator<string | Citation, void, undefined> {
  let text = '';
  let last: CitedStatement | undefined;
  /** Whether more documents may follow for the last statement. */
  let isOpen = false;

  for await (const piece of pieces) {
    if (typeof piece === 'string') {
      if (piece === '') continue;
      if (isOpen) yield* close();
      text += piece;
      yield piece;
      continue;
    }
    const documents = piece.documents.filter((document) => sources[document - 1]);
    if (documents.length === 0) continue;
    if (!isOpen) last = open(piece.statementLength) ?? last;
    if (isOpen) for (const document of documents) last?.documents.add(document);
  }
  yield* close();

  function open(length: number | undefined): CitedStatement | undefined {
    const end = text.trimEnd().length;
    const start = length === undefined ? startOfStatement(text, last) : text.length - length;
    if (start === undefined) return undefined;
    isOpen = true;
    return { start, end, documents: new Set() };
  }

  function* close(): Generator<Citation> {
    if (!isOpen || !last) return;
    isOpen = false;
    const { start, end, documents } = last;
    const hits = [...documents].flatMap((document) => sources[document - 1] ?? []);
    const statement = text.slice(start, end);
    const found = hits.map((hit) => ({ start, end, hit, supported: supports(statement, [hit]) }));
    // Several sources may support a statement together.
    const isJoint =
      hits.length > 1 && !found.some(({ supported }) => supported) && supports(statement, hits);
    for (const citation of found) yield isJoint ? { ...citation, supported: true } : citation;
  }
}
