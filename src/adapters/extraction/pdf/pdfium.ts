import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { init, type Methods } from '@embedpdf/pdfium';
import { memoize } from '../../../core/memoize.ts';

/** PDFium's functions, which take addresses in its memory. */
export interface Pdfium extends Methods {
  /** It moves when it grows. */
  memory: () => Uint8Array;
  allocate: (bytes: number) => number;
  free: (address: number) => void;
}

/** The types of the package need those of Emscripten. */
interface Runtime {
  HEAPU8: Uint8Array;
  wasmExports: { malloc: (bytes: number) => number; free: (address: number) => void };
}

/** PDFium, once in a process. It renders pages, for which pdf.js needs a large native library. */
export const loadPdfium = memoize(async (): Promise<Pdfium> => {
  const wasm = fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'));
  const options: object = { wasmBinary: await readFile(wasm) };
  const { pdfium, ...methods } = await init(options);
  methods.PDFiumExt_Init();
  const runtime = pdfium as unknown as Runtime;
  return {
    ...methods,
    memory: () => runtime.HEAPU8,
    allocate: runtime.wasmExports.malloc,
    free: runtime.wasmExports.free,
  };
});
