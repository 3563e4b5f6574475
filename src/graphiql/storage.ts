type Kind = 'localStorage' | 'sessionStorage';

/** What the browser keeps; only until the page is closed if the browser denies it, as with blocked cookies. */
export function storageOf(
  kind: Kind,
): Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear' | 'length'> {
  try {
    return window[kind];
  } catch {
    const kept = new Map<string, string>();
    return {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
      clear: () => kept.clear(),
      get length() {
        return kept.size;
      },
    };
  }
}
