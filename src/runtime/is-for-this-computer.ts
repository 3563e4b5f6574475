import type { Config } from '../config/config.ts';
import { isLoopbackAddress, isLoopbackName } from '../http/loopback.ts';

/** Whether, by its settings, a gateway can only be reached from the computer that it runs on. */
export function isForThisComputer({ host, publicUrl }: Config): boolean {
  const isPublic = publicUrl !== undefined && !isLoopbackName(new URL(publicUrl).hostname);
  return isLoopbackAddress(host) && !isPublic;
}
