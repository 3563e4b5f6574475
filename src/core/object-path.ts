/** The path of the stored copy of a file; see `ObjectStorage` for the characters of a path. */
export function objectPath(file: {
  customerId: string;
  datasetId: string;
  fileId: string;
  originalName: string;
}): string {
  const name = shorten(toSegment(file.originalName), 120);
  return `${folderOf(file)}/${file.fileId}-${name}`;
}

/** The folder for the stored copies of a dataset; datasets with similar ids may share one. */
export function folderOf({
  customerId,
  datasetId,
}: {
  customerId: string;
  datasetId: string;
}): string {
  return `customers/${toSegment(customerId)}/datasets/${toSegment(datasetId)}`;
}

/** The extension of a file name in lower case with its dot; empty when there is none. */
export function extensionOf(fileName: string): string {
  // A name such as `Smith Jr..pdf` has two dots there.
  return /[^./\\]\.*(\.[A-Za-z0-9]{1,16})$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
}

/** One segment of a path. Dot segments become underscores: they would lead to another folder. */
function toSegment(text: string): string {
  const safe = text.replaceAll(/[^A-Za-z0-9._-]/g, '_');
  return /^\.*$/.test(safe) ? '_'.repeat(safe.length) : safe;
}

/** Keeps the extension, so that files can be recognised in the bucket. */
function shorten(name: string, length: number): string {
  const extension = extensionOf(name);
  return name.length <= length ? name : name.slice(0, length - extension.length) + extension;
}
