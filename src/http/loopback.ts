/** Whether a host name is one of this computer, as it stands in a URL. */
export function isLoopbackName(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

/** Whether an address, of a socket or to listen on, is one that this computer alone can reach. */
export function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '');
  return isLoopbackName(plain.includes(':') ? `[${plain}]` : plain);
}
