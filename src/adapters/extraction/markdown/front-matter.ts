import type { Json } from '../../../core/model.ts';
import { describe } from '../json-fields.ts';

/** A Markdown text, and what is said of it before its beginning, in one line. */
interface Parts {
  about: string;
  body: string;
}

// A rule has an empty line below it.
const FRONT_MATTER = /^---[ \t]*\n(?:(?![ \t]*\n)(.*?)\n)??(?:---|\.\.\.)[ \t]*(?:\n|$)/s;
/** A field of YAML, its continuation, an item of its list, or a comment. */
const YAML_LINE = /^(?:[^\s:#][^:]*:(?:\s.*)?|\s.*|-\s.*|#.*)?$/;

/** Takes the front matter off the first segment of a file, if it has any. */
export async function splitFrontMatter(segment: string): Promise<Parts> {
  const [whole = '', yaml = ''] = FRONT_MATTER.exec(segment) ?? [];
  const lines = yaml.split('\n');
  // Otherwise it is a text between two rules.
  if (!lines.every((line) => YAML_LINE.test(line))) return { about: '', body: segment };
  const about = (await describeYaml(yaml)) ?? lines.map((line) => line.trim()).join('; ');
  return { about, body: segment.slice(whole.length) };
}

/** The fields in words, or nothing when it is broken. */
async function describeYaml(yaml: string): Promise<string | undefined> {
  if (!yaml.trim()) return '';
  const { FAILSAFE_SCHEMA, load } = await import('js-yaml');
  try {
    // Every value stays as it is written. Aliases could repeat it without end.
    const fields = load(yaml, { schema: FAILSAFE_SCHEMA, maxAliases: 0 }) as Json;
    return describe(fields)?.replace(/\n+(?=; |$)/g, '');
  } catch {
    return undefined;
  }
}
