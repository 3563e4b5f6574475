export const FOX = 'The fox is quick.';

/** A form of parts in their order. */
export function form(parts: [name: string, value: string | File][]): FormData {
  const data = new FormData();
  for (const [name, value] of parts) data.append(name, value);
  return data;
}

export const file = (name: string, content: BlobPart = FOX) => new File([content], name);
