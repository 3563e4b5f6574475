/** @jsxImportSource preact */
import { render } from 'preact';
import { App } from './app.tsx';
import './styles/tokens.css';
import './styles/controls.css';
import './styles/chat.css';
import './styles/page.css';

// Relative, for gateways below a path of a proxy.
const url = new URL('.', location.href).href.replace(/\/$/, '');
const root = document.getElementById('root');
if (root) render(<App url={url} />, root);
