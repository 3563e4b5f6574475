import type { Config } from '../config/config.ts';
import { isLoopbackAddress, isLoopbackName } from '../http/loopback.ts';

/** Whether a gateway is only reached from the computer that it runs on, as far as its settings tell. */
export function isForThisComputer({ host, publicUrl }: Config): boolean {
  const isPublic = publicUrl !== undefined && !isLoopbackName(new URL(publicUrl).hostname);
  return isLoopbackAddress(host) && !isPublic;
}
