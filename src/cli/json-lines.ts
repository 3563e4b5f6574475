/**
 * The lines of JSON Lines. `readline` would also end them at U+2028 and U+2029, which JSON may contain in texts.
 */
export async function* jsonLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let line: string[] = [];
  for await (const bytes of input) {
    const [end = '', ...starts] = decoder.decode(bytes, { stream: true }).split('\n');
    line.push(end);
    for (const start of starts) {
      yield line.join('');
      line = [start];
    }
  }
  yield line.join('') + decoder.decode();
}
