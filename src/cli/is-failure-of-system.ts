/** Whether a file of this computer could not be read or written, or was changed meanwhile. */
export function isFailureOfSystem(error: unknown): boolean {
  const { name, code } = error as NodeJS.ErrnoException;
  return name === 'NotReadableError' || /^E[A-Z]+$/.test(code ?? '');
}
