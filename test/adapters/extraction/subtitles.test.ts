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

test.each(['X1:201 X2:516 Y1:397 Y2:423', 'align:start position:0%'])(
  'the position %s of a cue is not said',
  async (position) => {
    const times = '00:00:01,000 --> 00:00:02,000';
    const file = await made('said.srt', `1\n${times} ${position}\nThe ferry is late.\n`);
    expect(await read(file)).toMatchObject([
      {
        content: 'The ferry is late.',
        origin: { startTime: '00:00:01,000', endTime: '00:00:02,000' },
      },
    ]);
  },
);

test('times without spaces between them are those of a cue', async () => {
  const cues =
    '1\n00:00:01,000-->00:00:02,000\nThe ferry\n\n2\n00:00:03,000 --> 00:00:04,000\nis late.';
  expect(await textOf('said.srt', cues)).toBe('The ferry\nis late.');
});
