import { isCommand } from './lines.ts';
import type { Sentence } from './sentences.ts';

/** The kind of answer that a question expects. */
export type AnswerKind = keyof typeof LOOKS_LIKE;

/** @param folded the question in lower case, without accents */
export function kindOfAnswer(folded: string): AnswerKind | undefined {
  return ASKED.find(([, question]) => question.test(folded))?.[0];
}

/** Whether answers of a kind are facts about something, for which a near match is usually wrong. */
export function isFact(kind: AnswerKind | undefined): boolean {
  return kind !== undefined && FACTS.includes(kind);
}

/** Whether a sentence looks like an answer of a kind. */
export function looksLike(kind: AnswerKind, { text, isCode }: Sentence): boolean {
  return kind === 'command' && isCode ? isCommand(text) : LOOKS_LIKE[kind].test(text);
}

const FACTS: AnswerKind[] = ['number', 'year', 'duration', 'name'];

const ASKS_NUMBER = new RegExp(
  [
    String.raw`\bhow (?:many|much|long|old|tall|high|big|large|far|heavy|often|fast|deep|wide)\b`,
    String.raw`^(?:since |until |by )?when\b(?! i| you| we| the .{0,80}, )|\b(?:what|which) (?:time|year|date|day|number|port)\b`,
    String.raw`\bwie ?(?:viele?|hoch|lange?|gross|alt|oft|weit|schwer|teuer|schnell)\b|^(?:\w+ )?wann\b`,
    String.raw`\b(?:combien|^quand|quelle? (?:heure|altitude|date|age|annee))\b`,
    String.raw`\b(?:cuant[oa]s?|^cuando|que (?:hora|dia|fecha|ano))\b`,
    String.raw`\b(?:costs?|price|kostet|kosten|preis|cout\w*|prix|cuestan?|precio)\b`,
    String.raw`\bin (?:bytes|(?:milli)?seconds|minutes|hours|days|percent|euros?|dollars)\b`,
    String.raw`\bwhat (?:is|are|was|were) the (?:\w+ ){0,3}(?:limit|size|length|timeout|maximum|minimum|amount|population|height|weight|speed|temperature|duration|capacity|distance|salary|fee|percentage|port)\b`,
    '何[冊台時人円年月日分個歳メ]|いくら|いつ|多少|几|时候|얼마|몇|언제',
  ].join('|'),
);

const GIVEN = String.raw`(?:specif\w+|set|sets|setting|choos\w+|chose|nam(?:e|es|ing)|giv\w+|pass(?:ing)?|provid\w+|configur\w+)`;

/** Asks for a default in other words: `... if I do not set it?` */
const ASKS_UNLESS = new RegExp(
  [
    String.raw`\b(?:if|when)\b.{0,80}(?:\bnot?\b|n['’]t\b|\bnothing\b|\bnobody\b|\bnone\b).{0,80}\b${GIVEN}\b[^,]{0,25}\?$`,
    String.raw`\b(?:unless|without)\b.{0,80}\b${GIVEN}\b[^,]{0,25}\?$`,
    String.raw`\b(?:if|when)\b.{0,80}\b(?:omit\w*|left out|leav\w+ .{0,9}out|unset)\b`,
  ].join('|'),
);

const ASKED: [AnswerKind, RegExp][] = [
  ['flag', /\b(?:which|what)(?: is the)? (?:command.line )?(?:flag|option|switch)\b/],
  ['variable', /\b(?:which|what|the) (?:(?:name of the )?(?:environment|env) )variables?\b/],
  ['function', /\b(?:which|what) (?:\w+ )?(?:function|method|hook)\b/],
  [
    'default',
    /\bdefaults?\b|\bvoreinstell|\bstandardmassig|\bpar defaut\b|\bpor defecto\b|\bpredetermin/,
  ],
  ['default', ASKS_UNLESS],
  ['version', /\b(?:which|what|welcher|quelle|que) version\b/],
  ['year', /\b(?:which|what) year\b|\bwelche[mns]? jahr\b|\bquelle annee\b|\bque ano\b/],
  [
    'duration',
    /\bhow (?:long|often)\b|\bwie (?:lange|oft)\b|\bcombien de temps\b|\bcuanto tiempo\b/,
  ],
  ['number', ASKS_NUMBER],
  [
    'called',
    /\b(?:called|named)(?: \w+){0,4} ?\?$|\b(?:is|are|was) .{0,80} (?:called|named)\b|\bname of\b|\bwie (?:heisst|heissen|nennt)\b|\bcomo se llaman?\b/,
  ],
  [
    'place',
    /^(?:(?:from|to|in|on|under) )?where\b|\b(?:which|what)(?: is the)? (?:\w+ )?(?:folder|directory|path|address|url|endpoint)\b|^wo(?:hin)?\b|^ou\b|^donde\b/,
  ],
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

const DURATION =
  /\d ?(?:ms|[smhd]|secs?|mins?|hrs?)\b|\b(?:milli)?seconds?\b|\b(?:minute|hour|day|week|month|year|once|twice|every|daily|weekly|monthly|yearly|forever|never|always)s?\b|sekunde|minute|stunde|\btage?n?\b|woche|monat|\bjahr|täglich|wöchentlich|\bheures?\b|\bjours?\b|\bsemaines?\b|\bmois\b|\bans?\b|segundo|hora|día|semana|\bmes(?:es)?\b|\baños?\b|[日年週周天]|時間|분|시간|일/iu;

/** Patterns of the kinds of answers. A command may be a flag or a function in a sentence. */
const LOOKS_LIKE = {
  flag: /(?<![\w-])--?[a-z]|[a-z][A-Z]|_/,
  variable: /\b[A-Z][A-Z\d]*_[A-Z\d_]+\b/,
  function: /\w\(|\w\.\w|[a-z][A-Z]/,
  default:
    /\bdefaults?\b|\b(?:if|when|unless) (?:\w+ )?(?:omitted|unset|empty|(?:not|none|nothing)(?: is| are)? (?:set|given|specified|provided)|specified|given)|\bvoreinstell|\bstandardmäßig|\bpar défaut\b|\bpor defecto\b|\bpredetermin/i,
  number: NUMBER,
  year: /(?<!\d)[12]\d{3}(?!\d)/,
  duration: DURATION,
  version: /\d\.\d|\bversions?\W+(?:\w+ )?\d|\d(?:\.x)? (?:or|and) (?:newer|later|higher|above)/,
  called:
    /\b(?:called|named|renamed|known as|name is|heisst|heißt|heißen|genannt|s'appelle|se llama)\b|["“«„]\p{L}/u,
  place:
    /\S\/\S|(?<!\S)[/~]\w|\blocalhost\b|\b(?:folder|director(?:y|ies)|path|file|url|endpoint|address|page|section|ordner|verzeichnis|dossier|répertoire|carpeta|directorio)\b|\p{Ll} \p{Lu}\p{Ll}/iu,
  command: /(?:^|\s)--?\w|\w\(\)/,
  name: /(?<=\s)\p{Lu}\p{L}+ (?:\p{Ll}+ )?\p{Lu}\p{L}+|[\p{Script=Han}\p{Script=Hangul}]/u,
};
