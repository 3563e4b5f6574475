declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it';

  // biome-ignore lint/style/noDefaultExport: this is how the package exports it
  export default function footnotes(parser: MarkdownIt): void;
}
