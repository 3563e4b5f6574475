import { expect, test } from 'vitest';
import { useExtractor } from './support.ts';

const { made, read } = useExtractor();

const field = '/Type/Annot/Subtype/Widget';
const FORM = [
  '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R 7 0 R 8 0 R 9 0 R 10 0 R]>>>>',
  '<</Type/Pages/Count 1/Kids[3 0 R]>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 5 0 R>>>>/Contents 4 0 R' +
    '/Annots[6 0 R 7 0 R 8 0 R 9 0 R 10 0 R 11 0 R 12 0 R]>>',
  stream(
    'BT /F 11 Tf 60 700 Td (Please fill in this form and send it to the harbour office.) Tj ' +
      '0 -40 Td (Name:) Tj 0 -20 Td (Country:) Tj 0 -20 Td (Member:) Tj 0 -20 Td (Insured:) Tj ET',
  ),
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  `<<${field}/FT/Tx/T(name)/V(Ada Lovelace)/Rect[120 656 300 672]/DA(/F 11 Tf)>>`,
  `<<${field}/FT/Ch/Ff 131072/T(country)/V(no)/Opt[[(no)(Norway)][(se)(Sweden)]]/Rect[120 636 300 652]/DA(/F 11 Tf)>>`,
  `<<${field}/FT/Btn/T(member)/V/Yes/AS/Yes/AP<</N<</Yes 13 0 R/Off 13 0 R>>>>/Rect[120 617 132 629]>>`,
  `<<${field}/FT/Btn/T(insured)/V/Off/AS/Off/AP<</N<</Yes 13 0 R/Off 13 0 R>>>>/Rect[120 597 132 609]>>`,
  `<<${field}/FT/Tx/Ff 8192/T(code)/V(SECRET)/Rect[120 500 300 512]/DA(/F 11 Tf)>>`,
  '<</Type/Annot/Subtype/Text/F 2/Contents(HIDDEN)/Rect[400 700 420 720]>>',
  '<</Type/Annot/Subtype/Text/Contents(Please check\nher name.)/T(Eve)/Rect[400 700 420 720]>>',
  stream('', '/Type/XObject/Subtype/Form/BBox[0 0 10 10]'),
];

function stream(content: string, entries = ''): string {
  return `<<${entries}/Length ${content.length}>>stream\n${content}\nendstream `;
}

test('what was filled in and noted on a form', async () => {
  const objects = FORM.map((object, index) => `${index + 1} 0 obj${object}endobj\n`);
  const trailer = `trailer<</Root 1 0 R/Size ${FORM.length + 1}>>`;
  const chunks = await read(
    await made('form.pdf', `%PDF-1.4\n${objects.join('')}${trailer}\n%%EOF`),
  );
  expect(chunks).toEqual([
    {
      content:
        'Please fill in this form and send it to the harbour office.\n\n' +
        'Name: | Ada Lovelace\nCountry: | Norway\nMember: | [x]\nInsured: | [ ]\n\n' +
        'Comment by Eve: Please check her name.',
      origin: { page: 1 },
    },
  ]);
});
