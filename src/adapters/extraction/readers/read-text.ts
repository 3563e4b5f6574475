import type { Source } from '../formats.ts';
import type { Passage } from '../passage.ts';
import { linesOf } from '../text-stream.ts';

/** Text and source code: every line is a passage, and an empty line parts paragraphs. */
export async function* readText({ path }: Pick<Source, 'path'>): AsyncIterable<Passage[]> {
  let gap: Passage['gap'] = '\n';
  for await (const lines of linesOf(path)) {
    const passages: Passage[] = [];
    for (const line of lines) {
      const text = line.cut ? line.text : line.text.trimEnd();
      if (text) passages.push({ text, origin: { line: line.number }, gap });
      gap = line.cut ? '' : text ? '\n' : '\n\n';
    }
    yield passages;
  }
}
