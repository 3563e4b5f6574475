/** The data of each event of a stream of Server-Sent Events. */
export async function* readEvents({ body }: Response): AsyncGenerator<string> {
  let text = '';
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = (text + piece).split(/\r?\n\r?\n/);
    text = events.pop() ?? '';
    for (const event of events) {
      const data = [...event.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line).join('\n');
      if (data.trim() !== '') yield data;
    }
  }
}
