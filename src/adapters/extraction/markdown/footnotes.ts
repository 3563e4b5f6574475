import type { Token } from 'markdown-it';

/** The footnotes of a text, each to be read once. */
export interface Footnotes {
  /** The text without its references to notes, which are to be read then. */
  cite(text: string): string;
  /** All notes that nothing refers to are to be read. */
  citeOthers(): void;
  /** The next note that is to be read. */
  next(): Token[] | undefined;
}

const REFERENCE = /\[\^([^\]\s[]{1,200})\]/g;

/** Parts the definitions of footnotes from the text that they are in. */
export function splitFootnotes(tokens: Token[]): { body: Token[]; footnotes: Footnotes } {
  const body: Token[] = [];
  const notes = new Map<string, Token[]>();
  const open = [body];
  for (const token of tokens) {
    if (token.type === 'footnote_reference_open') {
      const label = labelOf(String(token.meta?.['label']));
      const note = notes.get(label) ?? [];
      notes.set(label, note);
      open.push(note);
    } else if (token.type === 'footnote_reference_close') {
      open.pop();
    } else {
      open.at(-1)?.push(token);
    }
  }
  return { body, footnotes: createFootnotes(notes) };
}

function createFootnotes(notes: Map<string, Token[]>): Footnotes {
  const cited = new Set<string>();
  const waiting: string[] = [];

  function add(label: string): void {
    if (!cited.has(label)) waiting.push(label);
    cited.add(label);
  }

  return {
    cite(text) {
      return text.replace(REFERENCE, (reference, name: string) => {
        const label = labelOf(name);
        if (!notes.has(label)) return reference;
        add(label);
        return '';
      });
    },
    citeOthers() {
      for (const label of notes.keys()) add(label);
    },
    next: () => notes.get(waiting.shift() ?? ''),
  };
}

function labelOf(name: string): string {
  return name.toLowerCase();
}
