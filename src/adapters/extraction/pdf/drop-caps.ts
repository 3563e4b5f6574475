import type { Run } from './run.ts';

const CAPITAL = /^["“„«‘¿¡]?\p{Lu}$/u;
/** In sizes of the text beside it: it is as high as two lines or more. */
const LEAST_SIZE = 1.8;
/** In sizes of the text: how far the text is from it, and how far below it. */
const [FARTHEST, LOWEST] = [1, 1.5];
/** More large capitals are letters of headings. */
const MOST = 20;

/**
 * Puts a capital that is as high as several lines where its word begins. These lines would otherwise
 * be one, because they are beside the same letter.
 */
export function withDropCaps(runs: Run[]): Run[] {
  const size = runs.reduce((sum, run) => sum + run.size, 0) / runs.length;
  const capitals = runs.filter((run) => run.size >= LEAST_SIZE * size && CAPITAL.test(run.text));
  return capitals.length > MOST ? runs : capitals.reduce(withDropCap, runs);
}

function withDropCap(runs: Run[], capital: Run): Run[] {
  const beside = new Set(runs.filter((run) => isBeside(run, capital)));
  const [first, ...others] = [...beside].toSorted((a, b) => a.y - b.y);
  if (!first || others.every(({ y }) => y === first.y)) return runs;
  return runs.map((run) => {
    if (run === capital) return { ...run, y: first.y, size: first.size };
    // The lines below begin where the paragraph does.
    return beside.has(run) && run.y > first.y ? { ...run, left: capital.left } : run;
  });
}

/** Whether a run begins a line beside a capital, the first of which is above its base line. */
function isBeside({ left, y, size }: Run, capital: Run): boolean {
  const above = capital.y - y;
  return (
    capital.size >= LEAST_SIZE * size &&
    Math.abs(left - capital.right) <= FARTHEST * size &&
    above >= -LOWEST * size &&
    above < capital.size
  );
}
