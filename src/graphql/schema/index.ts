import './answer.ts';
import './chunk.ts';
import './dataset.ts';
import './error-code.ts';
import './dataset-changes.ts';
import './file.ts';
import './deletions.ts';
import './uploads.ts';
import './file-list.ts';
import '../scalars.ts';
import './ingestion.ts';
import './search.ts';
import './token.ts';
import './viewer.ts';
import { builder } from '../builder.ts';

/** The whole schema: the imports above have added every part to the builder. */
export const schema = builder.toSchema();
