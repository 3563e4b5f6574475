import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** The output of Vite for a module and everything that it imports. */
export interface Bundle {
  script: string;
  /** Empty when nothing imports a style sheet. */
  style: string;
  /** Of the libraries in it, in Markdown. */
  licenses: string;
}

/** Bundles a module for browsers. @param jsx the library that its elements are made with */
export async function bundle(entry: URL, jsx: 'react' | 'preact'): Promise<Bundle> {
  const input = fileURLToPath(entry);
  const built = await build({
    configFile: false,
    root: fileURLToPath(new URL('.', entry)),
    logLevel: 'error',
    oxc: { jsx: { runtime: 'automatic', importSource: jsx } },
    build: {
      write: false,
      // They support light-dark(); the fallback for older ones does not work in a shadow root.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      license: true,
      rolldownOptions: { input, output: { codeSplitting: false } },
    },
  });
  if (!('output' in built)) throw new Error(`Vite has built nothing of ${input}`);
  const texts = built.output.map((file) => ({
    name: file.fileName,
    text: file.type === 'chunk' ? file.code : String(file.source),
  }));
  const textOf = (ending: string) => texts.find(({ name }) => name.endsWith(ending))?.text ?? '';
  return { script: textOf('.js'), style: textOf('.css'), licenses: textOf('license.md') };
}
