import { createHash } from 'node:crypto';

interface PageParts {
  title: string;
  script: string;
  style: string;
  /** Whether it may run this script, use this style and ask this gateway, and nothing else. */
  isStrict?: boolean;
}

/** A page that contains its script and its style. */
export function pageOf({ title, isStrict = false, ...parts }: PageParts): string {
  const style = parts.style.replaceAll('</style', '<\\/style');
  const script = parts.script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  const policy = isStrict
    ? `<meta http-equiv="Content-Security-Policy" content="${policyOf(script, style)}">\n`
    : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${policy}<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:image/svg+xml,${ICON.replaceAll('<', '%3C').replaceAll('>', '%3E')}">
<style>${style}</style>
</head>
<body>
<div id="root"></div>
<noscript>This page needs JavaScript.</noscript>
<script type="module">${script}</script>
</body>
</html>
`;
}

const ICON = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='3' fill='%2323314d'/><text x='8' y='12' font-size='11' font-family='sans-serif' font-weight='bold' text-anchor='middle' fill='white'>fq</text></svg>`;

function policyOf(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
