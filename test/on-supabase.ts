import { describe } from 'vitest';

/*
 * What goes through the stored copies, once more with the copies in Supabase Storage: the project
 * `supabase` of vitest.config.ts. As one file it needs one worker, with one gateway.
 */

const FILES = ['rest/uploads', 'rest/deletion', 'rest/deletion-failures', 'graphql/uploads'];

describe.each(FILES)('%s', (file) => import(`./${file}.test.ts`));
