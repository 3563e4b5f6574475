import { expect, test } from 'vitest';
import { useExtractor } from './support.ts';

/* What is said in subtitles, without what is written about it. */

const { made, read } = useExtractor();

async function textOf(name: string, content: string): Promise<string> {
  const chunks = await read(await made(name, content));
  return chunks.map(({ content }) => content).join('\n');
}

test.each([
  ['srt', '1\n00:00:01,000 --> 00:00:02,000\n'],
  ['vtt', 'WEBVTT\n\n00:01.000 --> 00:02.000\n'],
])('character references in a .%s are characters', async (extension, cue) => {
  const said =
    '&quot;It&#39;s 5&nbsp;&lt; 6&quot; &mdash; <i>R&amp;D</i>, caf&eacute; &#x2014; AT&T <3';
  expect(await textOf(`said.${extension}`, `${cue}${said}\n`)).toBe(
    `"It's 5 < 6" — R&D, café — AT&T <3`,
  );
});
