const BEGIN = '<think>';
const END = '</think>';

/** A text without the thoughts before it. */
export function withoutThoughts(text: string): string {
  const thoughts = createThoughtFilter();
  return thoughts.read(text) + thoughts.end();
}

/**
 * Leaves the thoughts out of a text that arrives in pieces. Models that reason, such as DeepSeek-R1 and
 * Qwen3, write them before the answer, and some servers do not separate them.
 */
export function createThoughtFilter() {
  let held = '';
  let isThinking = false;
  let isAnswering = false;

  return {
    /** What belongs to the answer. */
    read(text: string): string {
      if (isAnswering) return text;
      held += text;
      do {
        if (isThinking) {
          const end = held.indexOf(END);
          // A long thought must not be searched, or kept, from its beginning each time.
          held = end < 0 ? held.slice(1 - END.length) : held.slice(end + END.length);
          if (end < 0) return '';
        }
        held = held.trimStart();
        isThinking = held.startsWith(BEGIN);
      } while (isThinking);
      if (BEGIN.startsWith(held)) return '';
      isAnswering = true;
      return held;
    },

    /** What looked like the beginning of thoughts until the text ended. */
    end: (): string => (isAnswering || isThinking ? '' : held),
  };
}
