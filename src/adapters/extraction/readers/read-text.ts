import { manHeadingLevel, manLines, manPageOf } from '../man-page.ts';
import type { Passage } from '../passage.ts';
import { createPassageWriter } from '../passage-writer.ts';
import type { Source } from '../reader.ts';
import { beginningOf, type Line, linesOf } from '../text-stream.ts';

/** Text and source code. Each line is a passage, and an empty line ends a paragraph. */
export async function* readText({ path }: Pick<Source, 'path'>): AsyncIterable<Passage[]> {
  const manPage = manPageOf(await beginningOf(path));
  if (manPage) {
    yield* readManPage(path, manPage);
    return;
  }
  const passagesOf = createLineReader();
  for await (const lines of linesOf(path)) yield passagesOf(lines);
}

/** A formatted man page, whose headings are recognized by their indentation. */
async function* readManPage(path: string, name: string): AsyncIterable<Passage[]> {
  const writer = createPassageWriter(name);
  const passagesOf = createLineReader();
  const lines = manLines((await Array.fromAsync(linesOf(path))).flat(), name);
  for (const line of lines) {
    const level = manHeadingLevel(line.text);
    const passages = passagesOf([line]);
    if (level) writer.addHeading(line.text, level);
    else yield passages.flatMap(({ text, origin, gap }) => writer.write(text, origin, { gap }));
  }
  yield writer.end();
}

function createLineReader(): (lines: Line[]) => Passage[] {
  let gap: Passage['gap'] = '\n';
  return (lines) => {
    const passages: Passage[] = [];
    for (const line of lines) {
      const text = line.cut ? line.text : line.text.trimEnd();
      if (text) passages.push({ text, origin: { line: line.number }, gap });
      gap = line.cut ? '' : text ? '\n' : '\n\n';
    }
    return passages;
  };
}
