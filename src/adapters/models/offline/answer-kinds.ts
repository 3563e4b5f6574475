import { isCommand } from './lines.ts';
import type { Sentence } from './sentences.ts';

/** What kind of answer a question wants. */
export type AnswerKind = 'default' | 'number' | 'version' | 'command' | 'name';

/** @param folded the question, without capitals and accents */
export function kindOfAnswer(folded: string): AnswerKind | undefined {
  return ASKED.find(([, question]) => question.test(folded))?.[0];
}

/** Does a sentence look like an answer of a kind? */
export function looksLike(kind: AnswerKind, { text, isCode }: Sentence): boolean {
  return kind === 'command' && isCode ? isCommand(text) : LOOKS_LIKE[kind].test(text);
}

const ASKS_NUMBER = new RegExp(
  [
    String.raw`\bhow (?:many|much|long|old|tall|high|big|large|far|heavy|often|fast|deep|wide)\b`,
    String.raw`\b(?:when|what (?:time|year|date|number)|which (?:year|day|date))\b`,
    String.raw`\bwie ?(?:viele?|hoch|lange?|gross|alt|oft|weit|schwer|teuer|schnell)\b|\bwann\b`,
    String.raw`\b(?:combien|quand|quelle? (?:heure|altitude|date|age|annee))\b`,
    String.raw`\b(?:cuant[oa]s?|cuando|que (?:hora|dia|fecha|ano))\b`,
    String.raw`\b(?:costs?|price|kostet|kosten|preis|cout\w*|prix|cuestan?|precio)\b`,
    String.raw`\bin (?:bytes|(?:milli)?seconds|minutes|hours|days|percent|euros?|dollars)\b`,
    String.raw`\bwhat (?:is|are|was|were) the (?:\w+ ){0,3}(?:limit|size|length|timeout|maximum|minimum|amount|population|height|weight|speed|temperature|duration|capacity|distance|salary|fee|percentage|port)\b`,
    '何[冊台時人円年月日分個歳メ]|いくら|いつ|多少|几|时候|얼마|몇|언제',
  ].join('|'),
);

const ASKED: [AnswerKind, RegExp][] = [
  [
    'default',
    /\bdefaults?\b|\bvoreinstell|\bstandardmassig|\bpar defaut\b|\bpor defecto\b|\bpredetermin/,
  ],
  ['version', /\b(?:which|what|welcher|quelle|que) version\b/],
  ['number', ASKS_NUMBER],
  [
    'command',
    /\b(?:how (?:do|can|to|should)|which command|wie (?:kann|starte|installiere)|welcher befehl|comment|quelle commande|como|que (?:orden|comando))\b/,
  ],
  ['name', /\b(?:who|whom|whose|wer|wen|wem|qui|quien|quienes)\b|誰|谁|누구/],
];

const NUMBER = new RegExp(
  [
    String.raw`(?<!\p{L})\d|[一二三四五六七八九十百千万]`,
    String.raw`\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|[a-z]+ty|hundred|thousand|million|half|once|twice|every)\b`,
    String.raw`\b(?:zwei|drei|vier|fünf|sechs|zwölf|deux|trois|quatre|cinq|dos|tres|cuatro|cinco)\b`,
  ].join('|'),
  'iu',
);

/** How the kinds of answers look; a command may be a flag or a function in a sentence. */
const LOOKS_LIKE: Record<AnswerKind, RegExp> = {
  default:
    /\bdefaults?\b|\bvoreinstell|\bstandardmäßig|\bpar défaut\b|\bpor defecto\b|\bpredetermin/i,
  number: NUMBER,
  version: /\d\.\d/,
  command: /(?:^|\s)--?\w|\w\(\)/,
  name: /(?<=\s)\p{Lu}\p{L}+ (?:\p{Ll}+ )?\p{Lu}\p{L}+|[\p{Script=Han}\p{Script=Hangul}]/u,
};
