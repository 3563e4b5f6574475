import { start } from '../start.tsx';
import { apolloLayer } from './data-layer.tsx';

start(apolloLayer);
