import type { OfficeContentNode } from 'officeparser';
import { type Parts, partsOf, readXml } from './zip-parts.ts';

interface Style {
  name: string;
  basedOn: string;
  /** Its level in the outline, from 0; `BODY_TEXT` is none. */
  outline?: number;
}

const STYLES = /^word\/styles\d*\.xml$/;
const BODY_TEXT = 9;
/** The names of styles are English in all languages, unlike their ids. */
const HEADING = /^(?:heading ([1-9])|title)$/i;
/** Styles that are based on each other. */
const MOST_STYLES = 20;
/** The list of a paragraph whose style has a number, but which is to have none. */
const NO_LIST = '0';

/**
 * Finds the headings of a Word document by the names of their styles. The parser knows them by their
 * ids in English only, and takes those that have a number for items of a list.
 */
export function markHeadings(nodes: OfficeContentNode[], bytes: Uint8Array): void {
  const styles = stylesOf(partsOf(bytes, STYLES));
  /** The numbers of the last heading that has one, from the first level on. */
  let numbers: number[] = [];

  function mark(node: OfficeContentNode): void {
    const { type, metadata, children = [] } = node;
    if (type !== 'list' && type !== 'paragraph') {
      for (const child of children) mark(child);
      return;
    }
    const isItem = type === 'list' && metadata && metadata.listId !== NO_LIST;
    const level = levelOf(styles, metadata?.style);
    if (level === undefined) {
      if (!isItem) node.type = 'paragraph';
      return;
    }
    if (isItem && metadata.listType === 'ordered') {
      numbers = [...numbers.slice(0, metadata.indentation), metadata.itemIndex + 1];
      const number = `${numbers.join('.')}. `;
      node.children = [{ type: 'text', text: number }, ...children];
      node.text = number + (node.text ?? '');
    }
    Object.assign(node, { type: 'heading', metadata: { level } });
  }

  for (const node of nodes) mark(node);
}

/** The level of a heading, from 1. */
function levelOf(styles: Map<string, Style>, id: string | undefined): number | undefined {
  let outline: number | undefined;
  let style = styles.get(id ?? '');
  for (let count = 0; style && count < MOST_STYLES; count += 1) {
    outline ??= style.outline;
    const [found, level = '1'] = HEADING.exec(style.name) ?? [];
    if (found) return outline === BODY_TEXT ? undefined : (outline ?? Number(level) - 1) + 1;
    style = styles.get(style.basedOn);
  }
  return undefined;
}

function stylesOf(parts: Parts): Map<string, Style> {
  const styles = new Map<string, Style>();
  let style: Style = { name: '', basedOn: '' };
  for (const xml of parts.values()) {
    readXml(xml, {
      open(element, { 'w:styleId': id = '', 'w:val': value = '' }) {
        if (element === 'style') {
          style = { name: '', basedOn: '' };
          styles.set(id, style);
        } else if (element === 'name') style.name = value;
        else if (element === 'basedOn') style.basedOn = value;
        else if (element === 'outlineLvl') style.outline = Number(value);
      },
    });
  }
  return styles;
}
