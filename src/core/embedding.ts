/** Dimensions of every embedding, as the contract says. */
export const DIMENSIONS = 1536;
