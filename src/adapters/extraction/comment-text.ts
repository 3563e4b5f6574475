/**
 * What a comment says, as its chunk has it.
 *
 * @param on what it is about, such as a cell, if the text around it does not tell
 */
export function commentText(
  text: string,
  { author, on }: { author?: string | undefined; on?: string },
): string {
  return `Comment${on ? ` on ${on}` : ''}${author ? ` by ${author}` : ''}: ${text}`;
}
