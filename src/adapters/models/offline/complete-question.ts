import type { Turn } from '../../../core/answer.ts';
import { fold, isContent, wordsOf } from '../../text-analysis/words.ts';

/** Bounds the work: earlier questions, and characters of each, at most. */
const MOST_QUESTIONS = 6;
const LONGEST_QUESTION = 2_000;
/** In informative words: "And the screen of the K200?" */
const LONGEST_PHRASE = 4;

const BEGINS = new RegExp(
  [
    '^(?:(?:and|but|or|und|oder|aber|et|mais|y|pero) )?',
    "(?:(?:(?:what|how) about|was ist mit|wie (?:steht|ist|sieht) es mit|qu[’']en est-il de|y que tal|que tal) )?",
  ].join(''),
);
const ASKS =
  /\b(?:who|whom|whose|what|when|where|which|why|how|wer|wen|wem|was|wann|wo|welche\w*|warum|wie|wie ?viele?|qui|que|quoi|quand|quel\w*|pourquoi|comment|combien|quien\w*|cuando|donde|cual\w*|como|cuant\w+)\b/;
const REFERS =
  /\b(?:it|its|they|them|their|this|that|these|those|he|him|his|she|her|there|one|ones|same|er|ihn|ihm|sie|es|ihr\w*|dies\w*|davon|damit|dafur|dort|il|elle|ils|elles|lui|leur\w*|celui|celle|ello|esto|eso|este|esta|ese|esa|ellos|ellas|su|sus)\b/;
const PREPOSITION =
  /^(?:in|on|at|for|from|of|with|without|after|before|during|until|by|am|an|im|auf|bei|mit|ohne|nach|vor|fur|ab|bis|von|wahrend|en|a|au|dans|pour|avec|sans|apres|avant|pendant|para|por|con|sin|durante|antes|despues) /;
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}_.'’-]*/gu;

/**
 * Makes a follow-up a standalone question, by adding the words that it lacks. A phrase ("And the screen?")
 * replaces one in the previous question; a question with a pronoun gets the informative words of the
 * previous question. Any other question is returned unchanged.
 */
export function completeQuestion(question: string, history: Turn[]): string {
  const asked = history
    .filter(({ role }) => role === 'user')
    .slice(-MOST_QUESTIONS)
    .map(({ content }) => content.slice(0, LONGEST_QUESTION));
  return [...asked, question].reduce(complete);
}

function complete(before: string, question: string): string {
  const folded = fold(question.trim());
  const [begin = ''] = BEGINS.exec(folded) ?? [];
  const phrase = folded.slice(begin.length);
  const words = contentWords(question.trim().slice(begin.length));
  if (words.length === 0) return `${question} ${before}`;
  const isPhrase = !ASKS.test(phrase) && words.length <= LONGEST_PHRASE;
  if (isPhrase && (begin !== '' || words.length < 3)) return replacePhrase(before, phrase, words);
  return REFERS.test(phrase) ? addWords(question, before) : question;
}

/** Puts a phrase in the place of the last one, or of the one behind the same preposition. */
function replacePhrase(before: string, phrase: string, words: Word[]): string {
  const [preposition = ''] = PREPOSITION.exec(phrase) ?? [];
  const inserted = words.map(({ text }) => text).join(' ');
  const from = preposition ? fold(before).lastIndexOf(` ${preposition}`) : 0;
  // What begins the question may be all of it, except for one word, such as 営業時間は.
  const phrases = phrasesOf(before).filter(
    ({ start, end }) => start > from || (from === 0 && !/\s/.test(before.slice(start, end))),
  );
  const replaced = from === 0 ? phrases.at(-1) : phrases[0];
  if (from < 0 || !replaced) return `${before.replace(/[?？\s]+$/, '')} ${preposition}${inserted}?`;
  return before.slice(0, replaced.start) + inserted + before.slice(replaced.end);
}

function addWords(question: string, before: string): string {
  const present = new Set(wordsOf(question));
  const lacking = contentWords(before).filter(({ text }) =>
    wordsOf(text).some((word) => !present.has(word)),
  );
  return `${question} ${lacking.map(({ text }) => text).join(' ')}`.trim();
}

interface Word {
  text: string;
  start: number;
  end: number;
}

function contentWords(text: string): Word[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) =>
    wordsOf(word).some(isContent)
      ? { text: word.replace(/[.'’]+$/, ''), start: index, end: index + word.length }
      : [],
  );
}

/** Runs of informative words, without the participle at the end of "the heating element covered". */
function phrasesOf(text: string): { start: number; end: number }[] {
  const phrases: { start: number; end: number }[] = [];
  for (const { text: word, start } of contentWords(text)) {
    const last = phrases.at(-1);
    const end = start + word.length;
    if (/\Bed$/.test(word)) continue;
    if (last && last.end + 1 === start) last.end = end;
    else phrases.push({ start, end });
  }
  return phrases;
}
