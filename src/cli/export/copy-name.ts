import { parse } from 'node:path';

/** Common file systems allow 255. */
const MAX_BYTES = 200;

/** The name of a file, in a form that every file system accepts. It cannot lead to another folder. */
export function copyName(originalName: string): string {
  const plain = originalName.replace(/[\p{C}/\\<>:"|?*]/gu, '_').replace(/[. ]$/, '_');
  const { name, ext } = parse(
    /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(plain) ? `_${plain}` : plain,
  );
  const suffix = Buffer.byteLength(ext) > MAX_BYTES / 2 ? '' : ext;
  const letters = [...name];
  while (Buffer.byteLength(letters.join('') + suffix) > MAX_BYTES) letters.pop();
  return letters.join('') + suffix || '_';
}
