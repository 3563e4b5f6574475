import { serveWhenAsked } from '../processes.ts';
import { serveByHand } from './serve-by-hand.ts';

/* The floor of the gateway's own work: by hand, with the same retrieval. */

serveWhenAsked((setup) => serveByHand(setup, 'retrieve'));
