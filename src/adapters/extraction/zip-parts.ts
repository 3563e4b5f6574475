import { posix } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { Parser } from 'htmlparser2';

/** The XML parts of an Office document, by path. */
export type Parts = ReadonlyMap<string, string>;

/**
 * Unpacks the parts of a document whose paths match. The document must have been parsed before, so
 * that it is known to be valid and within the size limits.
 */
export function partsOf(bytes: Uint8Array, wanted: RegExp): Parts {
  const files = unzipSync(bytes, { filter: ({ name }) => wanted.test(name) });
  return new Map(Object.entries(files).map(([path, file]) => [path, strFromU8(file)]));
}

/** The paths of related parts by type, such as `chart` or `comments`. */
export function relatedParts(parts: Parts, path: string, type: RegExp): string[] {
  return [...relations(parts, path).values()].flatMap((relation) =>
    type.test(relation.type) ? [relation.path] : [],
  );
}

/** The parts that the elements of a name refer to by `r:id`, in their order, with their attributes. */
export function referencedParts(
  parts: Parts,
  path: string,
  element: string,
): { path: string; attributes: Record<string, string> }[] {
  const related = relations(parts, path);
  const found: { path: string; attributes: Record<string, string> }[] = [];
  readXml(parts.get(path) ?? '', {
    open(name, attributes) {
      const target = related.get(attributes['r:id'] ?? '')?.path;
      if (name === element && target) found.push({ path: target, attributes });
    },
  });
  return found;
}

/** The relations of a part, by id. */
function relations(parts: Parts, path: string): Map<string, { type: string; path: string }> {
  const { dir, base } = posix.parse(path);
  const found = new Map<string, { type: string; path: string }>();
  readXml(parts.get(`${dir}/_rels/${base}.rels`) ?? '', {
    open(name, { Id = '', Type = '', Target = '' }) {
      if (name !== 'Relationship') return;
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(dir, Target);
      found.set(Id, { type: posix.basename(Type), path: target });
    },
  });
  return found;
}

/** Parses XML and calls handlers for elements, with names without prefix, and for text. */
export function readXml(
  xml: string,
  on: {
    open?(name: string, attributes: Record<string, string>): void;
    text?(text: string): void;
    close?(name: string): void;
  },
): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => on.open?.(localName(name), attributes),
      ontext: (text) => on.text?.(text),
      onclosetag: (name) => on.close?.(localName(name)),
    },
    { xmlMode: true },
  );
  parser.end(xml);
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
