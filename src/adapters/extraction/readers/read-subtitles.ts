import { Parser } from 'htmlparser2';
import { parseText, type VTTCue } from 'media-captions';
import { srtTime } from '../../../core/subtitles.ts';
import type { Passage } from '../passage.ts';
import type { Source } from '../reader.ts';
import { linesOf } from '../text-stream.ts';
import { readText } from './read-text.ts';

/** In seconds. Subtitles that roll up show a finished line alone for a hundredth of a second. */
const INSTANT = 0.05;
/** Subtitles that roll up show fewer lines. */
const MOST_LINES = 4;
/** In characters; a film has about as many. */
const SEGMENT = 64 * 1024;
/** The times of a cue, and what may follow: its position, which is taken for text in SubRip. */
const TIMES = /^\s*([\d:.,]+)\s*-->\s*([\d:.,]+)(?:\s.*)?$/;
/** A tag ends before the next one begins: what is never closed is looked at once only. */
const VOICE = /<v(?:\.[^ <>]*)? ([^<>]*)>/g;
/** Tags of SubRip and WebVTT, and the positions of older subtitle formats. */
const TAGS = /<\/?(?:[a-z][^<>]*|\d\d[\d:.]+)>|\{\\[^{}]*\}/gi;
/** Left-to-right and right-to-left marks. */
const MARKS = /[\u200e\u200f]/g;

export function readSrt({ path }: Source): AsyncIterable<Passage[]> {
  return readSubtitles(path, 'srt');
}

export function readVtt({ path }: Source): AsyncIterable<Passage[]> {
  return readSubtitles(path, 'vtt');
}

/** A subtitle is a passage. A file without one is a text that only has the name of subtitles. */
async function* readSubtitles(path: string, type: 'srt' | 'vtt'): AsyncIterable<Passage[]> {
  let found = 0;
  const toPassage = createToPassage();
  for await (const segment of segmentsOf(path)) {
    const { cues } = await parseText(segment, { type });
    found += cues.length;
    yield cues.map(toPassage);
  }
  if (found === 0) yield* readText({ path });
}

/** Parts of the file that end between two subtitles. */
async function* segmentsOf(path: string): AsyncIterable<string> {
  let segment = '';
  for await (const lines of linesOf(path)) {
    for (const { text } of lines) {
      segment += `${text.replace(TIMES, '$1 --> $2')}\n`;
      if (segment.length < SEGMENT || text.trim()) continue;
      yield segment;
      segment = '';
    }
  }
  yield segment;
}

/**
 * Leaves out what a subtitle repeats of the one that it follows without a pause: those that are made
 * from speech, as on YouTube, roll up, so that each line is in three of them.
 */
function createToPassage() {
  let before = { lines: [''], endTime: Number.NaN };

  return ({ startTime, endTime, text }: VTTCue): Passage => {
    const lines = plain(text).split('\n');
    const repeated = before.endTime === startTime ? countRepeated(before.lines, lines) : 0;
    // A subtitle that is there to be read may say the same again.
    const rollsUp = repeated < lines.length || endTime - startTime < INSTANT;
    before = { lines: lines.slice(-MOST_LINES), endTime };
    return {
      text: lines.slice(rollsUp ? repeated : 0).join('\n'),
      origin: { startTime: srtTime(startTime), endTime: srtTime(endTime) },
      gap: '\n',
      whole: true,
    };
  };
}

/** How many of the first lines are the last lines before them. */
function countRepeated(before: string[], lines: string[]): number {
  const starts = before.map((_, at) => before.slice(at));
  const same = starts.find((some) => some.every((line, at) => line === lines[at]));
  return same?.length ?? 0;
}

/** `<v Ann>Hi <i>there</i>` is `Ann: Hi there`. */
function plain(text: string): string {
  const said = text.replace(VOICE, '$1: ').replace(TAGS, '');
  return decode(said).replaceAll('\u00a0', ' ').replace(MARKS, '').trim();
}

/** Both formats have the character references of HTML: `It&#39;s` is `It's`. */
function decode(text: string): string {
  if (!text.includes('&')) return text;
  let decoded = '';
  const parser = new Parser({ ontext: (part) => (decoded += part) });
  // What is left of tags is text.
  parser.end(text.replaceAll('<', '&lt;'));
  return decoded;
}
