/*
 * Imported before pdf.js, which makes a `DOMMatrix` when it is loaded. It would take both classes
 * from @napi-rs/canvas, a large native library; it reads text here and draws nothing.
 */

Object.assign(globalThis, { DOMMatrix: class {}, Path2D: class {} });
