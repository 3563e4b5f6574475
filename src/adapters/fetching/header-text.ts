/** The text of a header: Node reads headers as Latin-1; some servers send UTF-8. */
export function headerText(header: string): string {
  const text = Buffer.from(header, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? header : text;
}
