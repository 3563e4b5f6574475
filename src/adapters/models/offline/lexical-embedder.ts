import type { Vector } from '../../../ports/language-model.ts';
import { stem } from '../../text-analysis/stemming.ts';
import { isContent, languagesOf, weightOf, wordsOf } from '../../text-analysis/words.ts';
import { conceptsOf } from './concepts.ts';
import {
  type Add,
  addTo,
  emptyVector,
  hashOf,
  type JoinableHash,
  joinHashes,
  lengthOf,
  normalise,
  spread,
} from './feature-hashing.ts';

/** The strength of each feature, relative to the weight of the word. Tuned with `npm run bench:answers`. */
const STRENGTH = { stem: 1, form: 0.35, concept: 0.7, grams: 0.45, pair: 0.3 };
/** The strength of the language, relative to all words together. */
const LANGUAGE_STRENGTH = 0.2;
const GRAM_LENGTH = 4;
const MAX_CACHED_WORDS = 20_000;
const MAX_CACHED_LENGTH = 40;

/** What a word adds to a vector. Cached, because few words make up most of a text. */
interface WordFeatures {
  weight: number;
  isContent: boolean;
  languages: readonly string[];
  stemHash: JoinableHash;
  dimensions: number[];
  values: number[];
}

/**
 * Turns texts into vectors of length 1: the stems, forms, concepts, character n-grams and
 * neighbours of their words, hashed into 1536 dimensions. Texts without words have a fixed vector,
 * because the cosine with the zero vector is undefined.
 */
export function createLexicalEmbedder(): (text: string) => Vector {
  const cache = new Map<string, WordFeatures>();

  function cachedFeaturesOf(word: string): WordFeatures {
    const known = cache.get(word);
    if (known) return known;
    const features = featuresOf(word);
    if (cache.size >= MAX_CACHED_WORDS) cache.clear();
    if (word.length <= MAX_CACHED_LENGTH) cache.set(word, features);
    return features;
  }

  return (text) => {
    const vector = emptyVector();
    const words = wordsOf(text).map(cachedFeaturesOf);
    const counts = countsOf(words);
    addWords(vector, counts);
    addPairs(vector, words);
    addLanguages(vector, counts);
    if (words.length === 0) spread(hashOf('').sum, 1, 8, addTo(vector));
    normalise(vector);
    return vector;
  };
}

function featuresOf(word: string): WordFeatures {
  const dimensions: number[] = [];
  const values: number[] = [];
  const add: Add = (dimension, value) => {
    dimensions.push(dimension);
    values.push(value);
  };

  const weight = weightOf(word);
  const wordStem = stem(word);
  const stemHash = hashOf(wordStem);
  spread(stemHash.sum, weight * STRENGTH.stem, 3, add);
  if (isContent(word)) {
    spread(hashOf(`=${word}`).sum, weight * STRENGTH.form, 2, add);
    for (const concept of conceptsOf(wordStem)) {
      spread(hashOf(`#${concept}`).sum, Math.max(weight, 0.7) * STRENGTH.concept, 3, add);
    }
    const grams = gramsOf(wordStem);
    const share = (weight * STRENGTH.grams) / Math.sqrt(grams.length);
    for (const gram of grams) spread(hashOf(`~${gram}`).sum, share, 1, add);
  }
  const languages = languagesOf(word);
  return { weight, isContent: isContent(word), languages, stemHash, dimensions, values };
}

/** Character n-grams, which match compounds, typing errors and forms that `stem` misses. */
function gramsOf(wordStem: string): string[] {
  if (!/^\p{L}{4,}$/u.test(wordStem)) return [];
  return Array.from({ length: wordStem.length - GRAM_LENGTH + 1 }, (_, start) =>
    wordStem.slice(start, start + GRAM_LENGTH),
  );
}

type Counts = Map<WordFeatures, number>;

function countsOf(words: WordFeatures[]): Counts {
  const counts: Counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Each repetition of a word adds less. All together add less than twice the first occurrence. */
function addWords(vector: Vector, counts: Counts): void {
  for (const [{ dimensions, values }, count] of counts) {
    const strength = (2 * count) / (1 + count);
    for (let i = 0; i < dimensions.length; i++) {
      const dimension = dimensions[i] ?? 0;
      vector[dimension] = (vector[dimension] ?? 0) + strength * (values[i] ?? 0);
    }
  }
}

/** Neighbours are hashed as one word, so that "data base" matches "database". */
function addPairs(vector: Vector, words: WordFeatures[]): void {
  const add = addTo(vector);
  const seen = new Set<number>();
  let before: WordFeatures | undefined;
  for (const word of words) {
    if (!word.isContent) continue;
    if (before) {
      const { sum } = joinHashes(before.stemHash, word.stemHash);
      const strength = STRENGTH.pair * Math.sqrt(before.weight * word.weight);
      if (!seen.has(sum)) spread(sum, strength, 3, add);
      seen.add(sum);
    }
    before = word;
  }
}

/** Makes texts in the same language slightly similar, so that chance prefers no other language. */
function addLanguages(vector: Vector, words: Counts): void {
  const counts = new Map<string, number>();
  for (const [{ languages }, count] of words) {
    for (const language of languages) {
      counts.set(language, (counts.get(language) ?? 0) + count / languages.length);
    }
  }
  const strength = (LANGUAGE_STRENGTH * lengthOf(vector)) / Math.hypot(...counts.values());
  for (const [language, count] of counts) {
    spread(hashOf(`@${language}`).sum, strength * count, 8, addTo(vector));
  }
}
