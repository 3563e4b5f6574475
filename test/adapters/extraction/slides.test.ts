import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { useExtractor } from './support.ts';
import { zip } from './zip.ts';

const { fixture, made, read } = useExtractor();

/** The parts of a presentation whose chart is on the second slide. */
async function dives(): Promise<Record<string, Uint8Array>> {
  return unzipSync(await readFile((await fixture('documents/dives.pptx')).path));
}

/** Changes a part of a presentation. */
function change(
  parts: Record<string, Uint8Array>,
  name: string,
  by: (text: string) => string,
): Record<string, Uint8Array> {
  return {
    ...parts,
    [name]: new TextEncoder().encode(by(strFromU8(parts[name] ?? new Uint8Array()))),
  };
}

test('the chart of a slide that was moved to the end', async () => {
  const moved = change(await dives(), 'ppt/presentation.xml', (text) =>
    text.replace(/(<p:sldId [^>]*>)(<p:sldId [^>]*>)(.*)(<\/p:sldIdLst>)/s, '$1$3$2$4'),
  );
  const chunks = await read(await made('moved.pptx', zip(moved)));
  const found = chunks.filter(({ content }) => content.includes('Chart: Dives per season'));
  expect(found.map(({ origin }) => origin)).toEqual([{ slide: 5, heading: 'Goals' }]);
  expect(found[0]?.content).toMatch(/^Goals\n/);
});

test('a slide that has only a title', async () => {
  const emptied = change(await dives(), 'ppt/slides/slide3.xml', (text) => {
    const [first = '', ...shapes] = text.split(/(?=<p:sp>)/);
    const title = shapes.find((shape) => shape.includes('type="title"')) ?? '';
    return `${first}${title.slice(0, title.indexOf('</p:sp>'))}</p:sp></p:spTree></p:cSld></p:sld>`;
  });
  const { 'ppt/slides/_rels/slide3.xml.rels': _notes, ...parts } = emptied;
  const chunks = await read(await made('title.pptx', zip(parts)));
  const third = chunks.filter(({ origin }) => origin.slide === 3);
  expect(third).toEqual([{ content: third[0]?.origin.heading, origin: third[0]?.origin }]);
});

test('the descriptions of two images are two texts', async () => {
  const image = (id: number, about: string) =>
    `<p:pic><p:nvPicPr><p:cNvPr id="${id}" name="p${id}" descr="${about}"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="rSea"/></p:blipFill><p:spPr/></p:pic>`;
  const pictured = change(await dives(), 'ppt/slides/slide3.xml', (text) =>
    text.replace(
      '</p:spTree>',
      `${image(901, 'A red buoy')}${image(902, 'A grey seal')}</p:spTree>`,
    ),
  );
  const related = change(pictured, 'ppt/slides/_rels/slide3.xml.rels', (text) =>
    text.replace(
      '</Relationships>',
      '<Relationship Id="rSea" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="../media/sea.png"/></Relationships>',
    ),
  );
  const parts = { ...related, 'ppt/media/sea.png': new Uint8Array(8) };
  const chunks = await read(await made('pictures.pptx', zip(parts)));
  const third = chunks.filter(({ origin }) => origin.slide === 3);
  expect(third.map(({ content }) => content).join('\n')).toContain('\nA red buoy A grey seal\n');
});
