/* Values that are kept until the browser tab is closed. Never in an address, where others would see it. */

/** GraphiQL has the key under this name, too. */
const KEY = 'filequery:key';
const DATASET = 'filequery:dataset';

export const keptKey = entry(KEY);
export const keptDataset = entry(DATASET);

function entry(name: string) {
  return {
    read(): string {
      try {
        return sessionStorage.getItem(name) ?? '';
      } catch {
        // The browser keeps nothing for this page.
        return '';
      }
    },
    /** @param value empty to forget it */
    write(value: string): void {
      try {
        if (value) sessionStorage.setItem(name, value);
        else sessionStorage.removeItem(name);
      } catch {
        // It is asked for again.
      }
    },
  };
}
