import { parseText } from 'media-captions';

/** A spoken text, with its times in seconds from the beginning of the recording. */
export interface Cue {
  startTime: number;
  endTime: number;
  text: string;
}

/** The response format of a model, and whether it has timestamps. */
export interface TranscriptFormat {
  name: 'srt' | 'diarized_json' | 'json';
  timed: boolean;
  /** @param seconds the length of the recording, for formats without timestamps */
  read(answer: unknown, seconds: number): Promise<Cue[]>;
}

/** OpenAI's newer models do not support SRT: one has its own format, the others return no timestamps. */
export function formatOf(model: string): TranscriptFormat {
  if (!/gpt-.*transcribe/.test(model)) return { name: 'srt', timed: true, read: readSrt };
  if (/diarize/.test(model)) return { name: 'diarized_json', timed: true, read: readSpeakers };
  return { name: 'json', timed: false, read: readText };
}

async function readSrt(answer: unknown): Promise<Cue[]> {
  if (typeof answer !== 'string') throw new Error('it sent no subtitles');
  if (answer.trim() === '') return [];
  const { cues } = await parseText(answer, { type: 'srt' });
  if (cues.length === 0) throw new Error('it sent no subtitles');
  return cleanCues(cues);
}

async function readSpeakers(answer: unknown): Promise<Cue[]> {
  const { segments } = (answer ?? {}) as { segments?: unknown };
  if (!Array.isArray(segments)) throw new Error('it sent no segments');
  return cleanCues(
    segments.map(({ start, end, text, speaker }) => ({
      startTime: Number(start),
      endTime: Number(end),
      text: speaker ? `${speaker}: ${text}` : String(text),
    })),
  );
}

async function readText(answer: unknown, seconds: number): Promise<Cue[]> {
  const { text } = (answer ?? {}) as { text?: unknown };
  if (typeof text !== 'string') throw new Error('it sent no text');
  return cleanCues([{ startTime: 0, endTime: seconds, text }]);
}

const GAPS = /[\0-\x20\x7f]+/g;

/** Each text as one line without control characters; empty texts are dropped. */
function cleanCues(cues: Cue[]): Cue[] {
  return cues
    .map(({ startTime, endTime, text }) => {
      if (!Number.isFinite(startTime + endTime)) throw new Error('it sent no times');
      return { startTime, endTime, text: text.toWellFormed().replace(GAPS, ' ').trim() };
    })
    .filter(({ text }) => text !== '');
}
