import type { OfficeContentNode } from 'officeparser';

interface Level {
  /** The index of its first item. */
  first: number;
  next: number;
}

/**
 * Numbers nested lists of a Word document from their beginning below each item, as Word does. The
 * parser goes on counting, because a list may go on after other paragraphs.
 */
export function restartNestedLists(nodes: OfficeContentNode[]): void {
  /** The levels of each list, from the outermost. */
  const lists = new Map<string, (Level | undefined)[]>();

  function number(node: OfficeContentNode): void {
    if (node.type !== 'list' || !node.metadata) {
      for (const child of node.children ?? []) number(child);
      return;
    }
    const { listId, indentation, itemIndex } = node.metadata;
    const levels = lists.get(listId) ?? [];
    lists.set(listId, levels);
    const level = levels[indentation] ?? { first: itemIndex, next: itemIndex };
    levels[indentation] = level;
    node.metadata.itemIndex = level.next;
    level.next += 1;
    for (const nested of levels.slice(indentation + 1)) {
      if (nested) nested.next = nested.first;
    }
  }

  for (const node of nodes) number(node);
}
