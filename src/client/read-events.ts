/** A message of an event stream. */
export interface ServerEvent {
  event: string;
  data: string;
}

/** The messages of an event stream, without comments. */
export async function* readEvents(
  response: Response,
): AsyncGenerator<ServerEvent, void, undefined> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
      const messages = text.split(/\r?\n\r?\n/);
      text = messages.pop() ?? '';
      for (const message of messages) {
        const event = parseMessage(message);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function parseMessage(message: string): ServerEvent | undefined {
  let event = 'message';
  const data: string[] = [];
  for (const line of message.split(/\r?\n/)) {
    // Separators of lines that are not those of an event stream, such as U+2028, are part of the data.
    const [, field, value = ''] = /^(\w+):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
  return event === 'message' && data.length === 0 ? undefined : { event, data: data.join('\n') };
}
