/** Number words by their number, without those that are also articles. */
const WORDS: [number, string][] = [
  [2, 'two zwei deux dos'],
  [3, 'three drei trois tres'],
  [4, 'four vier quatre cuatro'],
  [5, 'five fünf cinq cinco'],
  [6, 'six sechs seis'],
  [7, 'seven sieben sept siete'],
  [8, 'eight acht huit ocho'],
  [9, 'nine neun nueve'],
  [10, 'ten zehn dix diez'],
  [11, 'eleven elf onze'],
  [12, 'twelve zwölf douze doce'],
  [15, 'fifteen fünfzehn quinze quince'],
  [20, 'twenty zwanzig vingt veinte'],
  [30, 'thirty dreißig trente treinta'],
  [50, 'fifty fünfzig cinquante cincuenta'],
  [100, 'hundred hundert cent cien'],
  [1000, 'thousand tausend mille mil'],
];

const NUMBERS = new Map(
  WORDS.flatMap(([number, words]) =>
    words.split(' ').map((word) => [word, String(number)] as const),
  ),
);

/** Writes number words of English, German, French and Spanish as digits: "five years", "5 years". */
export function withDigits(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => NUMBERS.get(word.toLowerCase()) ?? word);
}
