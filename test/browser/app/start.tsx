import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './components/app.tsx';
import type { DataLayer } from './data-layer.ts';

export function start(layer: DataLayer): void {
  const page = document.getElementById('page');
  if (!page) throw new Error('The page has no element with the id "page".');
  createRoot(page).render(
    <StrictMode>
      <App layer={layer} />
    </StrictMode>,
  );
}
