/** The theme of Redoc for browsers in dark mode; Redoc itself has none. */
const THEME = {
  colors: {
    primary: { main: '#8ab4f8' },
    success: { main: '#7bd88f' },
    warning: { main: '#f2b84b' },
    error: { main: '#ff8a80' },
    gray: { 50: '#1c2026', 100: '#22272e' },
    text: { primary: '#e6e8eb', secondary: '#b4bac2' },
    border: { dark: '#3a414b', light: '#2a3038' },
    responses: { info: { color: '#7cc4e8' } },
  },
  schema: { linesColor: '#4a5462', nestedBackground: '#1c2026' },
  typography: { code: { color: '#ffab91', backgroundColor: '#262c34' } },
  sidebar: {
    backgroundColor: '#1c2026',
    textColor: '#e6e8eb',
    groupItems: { activeBackgroundColor: '#2a3038' },
    level1Items: { activeBackgroundColor: '#2a3038' },
  },
  rightPanel: {
    backgroundColor: '#0f1216',
    servers: { overlay: { backgroundColor: '#1c2026', textColor: '#e6e8eb' } },
  },
  codeBlock: { backgroundColor: '#181c21' },
  fab: { backgroundColor: '#2a3038', color: '#8ab4f8' },
};

/** Styles that the theme does not cover. */
const STYLE = `
  html { color-scheme: dark; background: #14171b }
  redoc h5, redoc h5 span { color: #b4bac2 !important }
  redoc svg polygon { fill: #b4bac2 !important }
  redoc .react-tabs__tab--selected { background: #2a3038 !important; color: #e6e8eb !important }
  redoc .token.boolean { color: #ff8a80 !important }
`;

/** A script for the page, which must run before that of Redoc. */
export const CHOOSE_THEME = `if (matchMedia('(prefers-color-scheme: dark)').matches) {
  document.querySelector('redoc').setAttribute('theme', ${JSON.stringify(JSON.stringify(THEME))});
  document.head.append(Object.assign(document.createElement('style'), { textContent: ${JSON.stringify(STYLE)} }));
}
`;
