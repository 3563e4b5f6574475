/**
 * How often random tests draw and how much they compare, as a multiple of what `npm test` does:
 * TEST_EFFORT, 1 unless set.
 */
export const EFFORT = Math.max(1, Number(process.env['TEST_EFFORT'] ?? 1));
