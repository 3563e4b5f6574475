import type { Json } from '../../core/model.ts';

type Scalar = string | number | boolean | null;

/**
 * The fields of a value and of nested values with their names: `size.width: 30`,
 * `colours: red, blue`. Null and empty fields are omitted.
 */
export function* fieldsOf(value: Json, name = ''): Generator<string> {
  if (isFlat(value)) {
    const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
    if (text) yield name ? `${name}: ${text}` : text;
  } else {
    for (const [key, child] of Object.entries(value)) {
      yield* fieldsOf(child, nameOf(name + stepTo(value, key)));
    }
  }
}

/** The fields in one line, or `undefined` if it is longer than `longest` characters. */
export function describe(value: Json, longest = Number.POSITIVE_INFINITY): string | undefined {
  let text = '';
  for (const field of fieldsOf(value)) {
    text += text ? `; ${field}` : field;
    if (text.length > longest) return undefined;
  }
  return text;
}

/** Whether a value is a scalar or a list of scalars. */
export function isFlat(value: Json): value is Scalar | Scalar[] {
  return isScalar(value) || (Array.isArray(value) && value.every(isScalar));
}

/** The step of a JSON path from a list or an object to the value at `key`. */
export function stepTo(parent: Json, key: string): string {
  if (Array.isArray(parent)) return `[${key}]`;
  return /^[\p{L}\p{N}_-]+$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** Converts a JSON path to a name for its value. */
export function nameOf(path: string): string {
  return path.replace(/^\$?\.?/, '');
}

function isScalar(value: Json): value is Scalar {
  return value === null || typeof value !== 'object';
}
