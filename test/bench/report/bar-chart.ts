import { figure } from './figures.ts';

/** Groups of bars, one bar a series. */
export interface BarChart {
  title: string;
  unit: string;
  series: string[];
  groups: { name: string; values: (number | undefined)[] }[];
}

const COLOURS = ['#2f6fde', '#9aa3af', '#6b5fb5', '#d97b29', '#4d9a5b'];
const [LABELS, BARS, ROW, GAP] = [190, 480, 16, 12];
const WIDTH = LABELS + BARS + 70;

/** A chart of horizontal bars as SVG, on a logarithmic scale: a bar twice as fast is as much shorter everywhere. */
export function barChart({ title, unit, series, groups }: BarChart): string {
  const numbers = groups.flatMap(({ values }) => values.filter((value) => value !== undefined));
  const [low, high] = [
    10 ** Math.floor(Math.log10(Math.min(...numbers))),
    10 ** Math.ceil(Math.log10(Math.max(...numbers))),
  ];
  const widthOf = (value: number) => (BARS * Math.log10(value / low)) / Math.log10(high / low);
  const lines: string[] = [];
  let y = 48;
  for (let tick = low; tick <= high * 1.01; tick *= 10) {
    const x = LABELS + widthOf(tick);
    lines.push(
      `<line x1="${x}" x2="${x}" y1="40" y2="100%" stroke="#8884" />`,
      text(x, 36, `${Number(tick.toPrecision(1))} ${unit}`, 'middle'),
    );
  }
  for (const { name, values } of groups) {
    const top = y;
    values.forEach((value, at) => {
      if (value === undefined) return;
      const width = Math.max(1, widthOf(value));
      lines.push(
        `<rect x="${LABELS}" y="${y}" width="${width}" height="${ROW - 3}" fill="${COLOURS[at]}" />`,
        text(LABELS + width + 4, y + 10, figure(value), 'start'),
      );
      y += ROW;
    });
    lines.push(text(LABELS - 8, (top + y) / 2 + 2, name, 'end'));
    y += GAP;
  }
  series.forEach((name, at) => {
    const x = 8 + (at * WIDTH) / series.length;
    lines.push(
      `<rect x="${x}" y="${y + 2}" width="11" height="11" fill="${COLOURS[at]}" />`,
      text(x + 16, y + 12, name, 'start'),
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y + 28}" font-family="system-ui, sans-serif" font-size="12" fill="#6b7280">`,
    `<title>${encoded(title)}</title>`,
    `<text x="8" y="16" font-size="14" font-weight="600">${encoded(title)}</text>`,
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}

function text(x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}">${encoded(words)}</text>`;
}

function encoded(words: string): string {
  return words.replace(/[&<>]/g, (character) => `&#${character.codePointAt(0)};`);
}
