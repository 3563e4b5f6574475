interface Parsed {
  metadata: Record<string, unknown>;
  /** What is wrong with the text. */
  problem?: string;
}

/** Reads `category=guide, year=2026, draft=true`, or an object in JSON. */
export function parseMetadata(text: string): Parsed {
  if (text.trim().startsWith('{')) return parseJson(text);
  const metadata: Record<string, unknown> = {};
  for (const part of text.split(',')) {
    if (part.trim() === '') continue;
    const [, key, value] = /^\s*([^=]+?)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    if (key === undefined || value === undefined) {
      return { metadata: {}, problem: `“${part.trim()}” is not of the form key=value.` };
    }
    metadata[key] = scalarOf(value);
  }
  return { metadata };
}

function parseJson(text: string): Parsed {
  try {
    // A text that begins with a brace and is JSON is an object.
    return { metadata: JSON.parse(text) };
  } catch {
    return { metadata: {}, problem: 'This is not an object in JSON yet.' };
  }
}

function scalarOf(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
