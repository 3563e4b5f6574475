/** One event of an answer's stream. */
export type StreamEvent = { delta: string } | { done: true } | { error: string };

/**
 * The events of a stream that ended: each one line `data: <JSON>` and a blank line, and nothing else.
 *
 * @throws Error when the stream is written in any other way
 */
export function parseEvents(stream: string): StreamEvent[] {
  const messages = stream.split('\n\n');
  if (messages.pop() !== '') throw new Error(`no blank line at the end of ${stream}`);
  return messages.map((message) => {
    const [, json] = /^data: (\{[^\r\n]*\})$/.exec(message) ?? [];
    if (json === undefined) throw new Error(`not one data line: ${message}`);
    return JSON.parse(json);
  });
}

export function deltasOf(events: StreamEvent[]): string[] {
  return events.flatMap((event) => ('delta' in event ? [event.delta] : []));
}
