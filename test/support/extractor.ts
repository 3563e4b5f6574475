import { createTextExtractor } from '../../src/adapters/extraction/text-extractor.ts';

/** Reads the files of all tests of this worker: its process takes longer to start than most tests. */
export const extractor = createTextExtractor({ processes: 1 });
