import { readXml } from './zip-parts.ts';

interface Series {
  name: string;
  categories: string[];
  values: string[];
}

/** Further points are ignored. */
const MOST_POINTS = 10_000;

/** Describes a chart of an Office document: its title and axes, and a line for each category. */
export function chartLines(xml: string): string[] {
  const { title, axes, series } = readChart(xml);
  const names = [title, ...axes].filter(Boolean);
  const points = Math.max(0, ...series.map(({ values }) => values.length));
  if (names.length === 0 && points === 0) return [];
  const rows = Array.from({ length: points }, (_, point) => {
    const category = series.map(({ categories }) => categories[point]).find(Boolean);
    const values = series.flatMap(({ name, values: { [point]: value } }) =>
      value ? [name ? `${name}: ${value}` : value] : [],
    );
    return [category, ...values].filter(Boolean).join('; ');
  });
  return [`Chart: ${names.join('; ')}`.trim(), ...rows.filter(Boolean)];
}

/** Reads the cell values that are cached in the chart. */
function readChart(xml: string): { title: string; axes: string[]; series: Series[] } {
  const chart = { title: '', axes: [] as string[], series: [] as Series[] };
  const path: string[] = [];
  let [text, index] = ['', 0];

  function take(element: string): void {
    const isIn = (name: string) => path.includes(name);
    const series = chart.series.at(-1);
    if (element === 'title') {
      const title = text.replace(/\s+/g, ' ').trim();
      if (title && path.some((name) => /Ax$/.test(name))) chart.axes.push(title);
      else if (title) chart.title ||= title;
      text = '';
    } else if (element === 'v' && isIn('ser') && series) {
      const value = text.trim();
      if (isIn('tx')) series.name ||= value;
      else if (isIn('cat') || isIn('xVal')) series.categories[index] = value;
      else if (isIn('val') || isIn('yVal')) series.values[index] = value;
    }
  }

  readXml(xml, {
    open(name, { idx }) {
      path.push(name);
      if (name === 'ser') chart.series.push({ name: '', categories: [], values: [] });
      if (name === 'pt') index = Math.min(Math.max(0, Number(idx) || 0), MOST_POINTS);
      if (name === 'v' || name === 'title') text = '';
    },
    text(part) {
      const parent = path.at(-1);
      if (parent === 'v' || (parent === 't' && path.includes('title'))) text += part;
    },
    close(name) {
      path.pop();
      take(name);
    },
  });
  return chart;
}
