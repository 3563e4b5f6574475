const NEGATION = new RegExp(
  [
    String.raw`\b(?:not(?! only\b)|never|none|nor|neither|cannot|without)\b|n['’]t\b|\bno\b(?!\. ?\d)`,
    String.raw`\b(?:nicht(?! nur\b)|kein(?:e[mnrs]?)?|nie|niemals|ohne)\b`,
    String.raw`\b(?:ne|pas|jamais|aucune?|sans)\b|\bn['’](?=\p{L})`,
    String.raw`\b(?:nunca|jamás|ningun[ao]?s?|ningún|sin)\b`,
  ].join('|'),
  'iu',
);
const CLAUSE_END = /[,;:—–]|\b(?:and|but|und|aber|sondern|et|mais|pero)\b/iu;

/**
 * Divides a sentence of English, German, French or Spanish into what it states and what it denies:
 * "The lid is washable, but not the base." Either may be empty.
 */
export function splitDenials(sentence: string): { stated: string; denied: string } {
  if (!NEGATION.test(sentence)) return { stated: sentence, denied: '' };
  const { stated = [], denied = [] } = Object.groupBy(sentence.split(CLAUSE_END), (clause) =>
    NEGATION.test(clause) ? 'denied' : 'stated',
  );
  return { stated: stated.join(', ').trim(), denied: denied.join(', ').trim() };
}
