/**
 * A form as the body of a request. Files stay where they are until the body is read.
 *
 * @param fieldOf the field of a file, by its position from 0
 */
export function multipart(
  fields: Record<string, string>,
  files: File[],
  fieldOf: (index: number) => string = () => 'file',
): Blob {
  const boundary = `filequery-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
  const parts: BlobPart[] = [];
  for (const [name, value] of Object.entries(fields)) {
    parts.push(`--${boundary}\r\n${disposition(name)}\r\n\r\n${value}\r\n`);
  }
  for (const [index, file] of files.entries()) {
    const type = file.type || 'application/octet-stream';
    const head = `${disposition(fieldOf(index))}; filename="${inQuotes(file.name)}"\r\nContent-Type: ${type}`;
    parts.push(`--${boundary}\r\n${head}\r\n\r\n`, file, '\r\n');
  }
  parts.push(`--${boundary}--\r\n`);
  return new Blob(parts, { type: `multipart/form-data; boundary=${boundary}` });
}

function disposition(name: string): string {
  return `Content-Disposition: form-data; name="${name}"`;
}

/** As browsers do. */
function inQuotes(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
