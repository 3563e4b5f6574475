import type { IncomingHttpHeaders } from 'node:http';
import { extname } from 'node:path';
import { parse } from 'content-disposition';
import { extension as extensionOfType } from 'mime-types';
import { LIMITS } from '../../core/limits.ts';
import { headerText } from './header-text.ts';

const PAGE = /^(?:text\/html|application\/xhtml\+xml)$/;
const PAGE_EXTENSION = /^\.x?html?$/i;

/** The declared type, without parameters and in lower case. */
export function remoteType(headers: IncomingHttpHeaders): string | null {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  return /^[\w.+-]+\/[\w.+-]+$/.test(type.trim()) ? type.trim().toLowerCase() : null;
}

/**
 * The name of a fetched file: the name that the server gives it, otherwise the last part of the path,
 * otherwise the host. One without an extension gets that of its type, and a page always ends in `.html`,
 * because the extension determines its format.
 *
 * @param url where it was found, after redirects
 */
export function remoteName(url: URL, headers: IncomingHttpHeaders): string {
  const type = remoteType(headers) ?? '';
  const given = clean(dispositionName(headers['content-disposition']));
  const inPath = clean(decode(url.pathname.split('/').at(-1) ?? ''));
  const name = given || inPath || url.hostname;
  const isHost = !given && !inPath;
  const extension = isHost ? '' : extname(name);
  const isPage = !given && PAGE.test(type);
  if (isPage ? PAGE_EXTENSION.test(extension) : extension !== '') return shorten(name, extension);
  const added = isPage ? 'html' : extensionOfType(type) || '';
  return added ? shorten(`${name}.${added}`, `.${added}`) : shorten(name, '');
}

function dispositionName(header: string | undefined): string {
  if (header === undefined) return '';
  try {
    return parse(headerText(header)).parameters['filename'] ?? '';
  } catch {
    // The header is malformed, so it gives no name.
    return '';
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A name without folders, and without characters that cannot be stored or shown. */
function clean(name: string): string {
  const [last = ''] = name.split(/[\\/]/).slice(-1);
  const shown = last
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .trim();
  return /^\.*$/.test(shown) ? '' : shown;
}

function shorten(name: string, extension: string): string {
  const most = LIMITS.fileNameCharacters;
  if (name.length <= most) return name;
  const kept = extension.length < most ? extension : '';
  return (name.slice(0, most - kept.length) + kept).toWellFormed();
}
