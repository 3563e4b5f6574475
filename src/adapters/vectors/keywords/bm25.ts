/** The constants of BM25, with the defaults of Lucene. */
export const BM25 = { k1: 1.2, b: 0.75 };
