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

test('subtitles that roll up, as on YouTube, say each line once', async () => {
  const cues = [
    ['00:00.080 --> 00:02.070', ' ', 'the ferry<00:00:00.400><c> leaves</c>'],
    ['00:02.070 --> 00:02.080', 'the ferry leaves', ' '],
    ['00:02.080 --> 00:04.070', 'the ferry leaves', 'at<00:00:02.400><c> nine</c>'],
    ['00:04.070 --> 00:04.080', 'at nine', ' '],
    ['00:04.080 --> 00:06.070', 'at nine', 'every<00:00:04.400><c> day</c>'],
    ['00:06.070 --> 00:06.080', 'every day', ' '],
  ].map((lines) => lines.join('\n'));
  const [chunk] = await read(await made('said.vtt', ['WEBVTT', ...cues].join('\n\n')));
  expect(chunk).toMatchObject({
    content: 'the ferry leaves\nat nine\nevery day',
    origin: { startTime: '00:00:00,080' },
  });
});

test.each([
  ['for long enough to be read', '00:02.000 --> 00:04.000'],
  ['after a pause', '00:03.000 --> 00:03.040'],
])('a subtitle that says the same again %s is said again', async (_, times) => {
  const cues = `WEBVTT\n\n00:01.000 --> 00:02.000\nNo.\n\n${times}\nNo.`;
  expect(await textOf('said.vtt', cues)).toBe('No.\nNo.');
});
