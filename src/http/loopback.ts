/** Whether a host name, in the form that URLs use, refers to this computer. */
export function isLoopbackName(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

/** Whether an address, of a socket or to listen on, can only be reached from this computer. */
export function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '');
  return isLoopbackName(plain.includes(':') ? `[${plain}]` : plain);
}
