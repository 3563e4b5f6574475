/** @jsxImportSource preact */

/** Outlines in a square of 24. */
const SHAPES = {
  chevron: 'M9 6l6 6-6 6',
  close: 'M6 6l12 12M18 6L6 18',
  file: 'M14 3H7a1 1 0 0 0-1 1v16a1 1 0 0 0 1 1h10a1 1 0 0 0 1-1V7zM14 3v4h4M9 12h6M9 16h6',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  upload: 'M12 16V5M7.5 9L12 4.5 16.5 9M5 16v3h14v-3',
  filter: 'M4 6h16M7 12h10M10 18h4',
} as const;

/** A picture beside words, or in a button with a label. */
export function Icon({ name }: { name: keyof typeof SHAPES }) {
  return (
    <svg class="picture" viewBox="0 0 24 24" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}
