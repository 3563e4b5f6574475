import { start } from '../start.tsx';
import { urqlLayer } from './data-layer.tsx';

start(urqlLayer);
