import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { openSession } from '../session.ts';
import { Chat } from './chat.tsx';

const { url, token } = await openSession();
const page = document.getElementById('page');
if (!page) throw new Error('The page has no element with the id "page".');
createRoot(page).render(
  <StrictMode>
    <Chat api={new URL('/v1/chat', url).href} token={token} />
  </StrictMode>,
);
