import type { Font } from './fonts.ts';

/** A stretch of text on one base line, in points from the top left, as its reader holds the page. */
export interface Run {
  text: string;
  left: number;
  right: number;
  /** Of the base line. */
  y: number;
  size: number;
  font: Font;
  /** Whether `left` and `right` count from the right, as the text is read. */
  mirrored: boolean;
}

/** The smallest rectangle that holds all of the runs, or what else has such edges. */
export function extentOf(runs: Pick<Run, 'left' | 'right' | 'y'>[]) {
  const extent = {
    left: Number.POSITIVE_INFINITY,
    right: Number.NEGATIVE_INFINITY,
    top: Number.POSITIVE_INFINITY,
    bottom: Number.NEGATIVE_INFINITY,
  };
  for (const { left, right, y } of runs) {
    extent.left = Math.min(extent.left, left);
    extent.right = Math.max(extent.right, right);
    extent.top = Math.min(extent.top, y);
    extent.bottom = Math.max(extent.bottom, y);
  }
  return extent;
}
