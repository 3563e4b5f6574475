import { serveWhenAsked } from '../processes.ts';
import { serveByHand } from './serve-by-hand.ts';

/* The floor: what somebody would write by hand. */

serveWhenAsked((setup) => serveByHand(setup, 'search'));
