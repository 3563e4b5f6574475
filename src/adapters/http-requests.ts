import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** The function of Node that requests a URL. */
export function requestFor({ protocol }: URL): typeof requestHttp {
  return protocol === 'https:' ? requestHttps : requestHttp;
}

const REDIRECTS: readonly (number | undefined)[] = [301, 302, 303, 307, 308];

/** Whether a status sends the client to another URL. */
export function isRedirect(status: number | undefined): boolean {
  return REDIRECTS.includes(status);
}
