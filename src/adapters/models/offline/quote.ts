import type { AnswerPiece } from '../../../core/citation-marks.ts';
import type { Finding } from './sentence-finder.ts';

/** In characters: the most that is added to a sentence that introduces others. */
const LONGEST_COMPLETION = 240;
const INTRODUCES = /[:：]$/;

/** Words an answer: `According to manual.md (Battery): "It is covered for two years."` */
export function quote(findings: Finding[]): AnswerPiece[] {
  let [file, under]: (string | undefined)[] = [];
  const quoted: string[] = [];
  return findings.flatMap((finding) => {
    const text = complete(finding);
    if (quoted.some((other) => other.includes(text))) return [];
    const named = finding.file === file ? '' : `According to ${finding.file || 'the documents'}`;
    const below = finding.under && finding.under !== under ? `(${finding.under})` : '';
    [file, under] = [finding.file, finding.under];
    const source = [named, below].filter(Boolean).join(' ');
    const quotation = `"${text}"`;
    const gap = quoted.length > 0 ? ' ' : '';
    quoted.push(text);
    return [
      `${gap}${source}${source && ': '}${quotation}`,
      { documents: [finding.rank + 1], statementLength: quotation.length },
    ];
  });
}

/** Adds the following sentences to one that ends with a colon or introduces them. */
function complete({ sentence, following }: Finding): string {
  let text = sentence.text;
  if (!INTRODUCES.test(text) && !sentence.announces) return text;
  for (const { text: next, announces } of following) {
    if (announces || text.length + next.length > sentence.text.length + LONGEST_COMPLETION) break;
    // It introduces something else.
    if (text !== sentence.text && INTRODUCES.test(next)) break;
    text += ` ${next}`;
    if (!sentence.isCode && /[.。]$/.test(next)) break;
  }
  return text;
}
