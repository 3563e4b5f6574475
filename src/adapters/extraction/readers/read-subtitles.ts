import { Parser } from 'htmlparser2';
import { parseText, type VTTCue } from 'media-captions';
import { srtTime } from '../../../core/subtitles.ts';
import type { Passage } from '../passage.ts';
import type { Source } from '../reader.ts';
import { linesOf } from '../text-stream.ts';
import { readText } from './read-text.ts';

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

function toPassage({ startTime, endTime, text }: VTTCue): Passage {
  return {
    text: plain(text),
    origin: { startTime: srtTime(startTime), endTime: srtTime(endTime) },
    gap: '\n',
    whole: true,
  };
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
