import type { ServerResponse } from 'node:http';
import { formatSrt, srtTime } from '../../src/core/subtitles.ts';
import { refuse, send } from './openai-replies.ts';

/** What is said, from when, and until when, in seconds. */
type Heard = [text: string, start: number, end: number];
export type Hear = (file: File) => Heard[];

const HEARD: Heard[] = [
  ['Welcome to the harbour radio.', 0, 1.6],
  ['The ferry to Brackwater leaves at nine.', 1.6, 4.2],
  ['Tickets cost twelve crowns.', 4.2, 6],
];

/** What is heard in a recording, as the format that was asked for; refuses one that the model does not know. */
export function transcribe(
  { file, model, response_format: format }: { file: File; model: string; response_format: string },
  response: ServerResponse,
  hear: Hear = () => HEARD,
): unknown {
  const heard = hear(file);
  const known = formatsOf(model);
  if (!known.includes(format)) {
    const message = `response_format '${format}' is not compatible with model '${model}'.`;
    return refuse(response, 400, { message, param: 'response_format' });
  }
  if (format === 'srt') return response.writeHead(200, TEXT).end(formatSrt(heard.map(toEntry)));
  const text = heard.map(([said]) => said).join(' ');
  if (format === 'json') return send(response, { text });
  const segments = heard.map(([said, start, end], at) => {
    const speaker = at === 0 ? 'A' : 'B';
    return {
      type: 'transcript.text.segment',
      id: `seg_${at}`,
      start,
      end,
      text: ` ${said}`,
      speaker,
    };
  });
  return send(response, {
    task: 'transcribe',
    text,
    duration: segments.at(-1)?.end ?? 0,
    segments,
  });
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

/** As OpenAI's models have them. */
function formatsOf(model: string): string[] {
  if (/diarize/.test(model)) return ['json', 'diarized_json'];
  return /^gpt-/.test(model) ? ['json'] : ['json', 'srt'];
}

function toEntry([text, start, end]: Heard, at: number) {
  return { id: String(at + 1), startTime: srtTime(start), endTime: srtTime(end), text };
}
