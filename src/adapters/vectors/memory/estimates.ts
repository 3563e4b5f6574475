/** Estimates for the inner products of a question with some chunks. */
export interface Estimates {
  /** 0, 1 or 2. Estimates at a greater depth use more bits and are more accurate. */
  depth: number;
  /** For each chunk, the sum of the question's numbers multiplied by the chunk's upper bits. */
  sums: ArrayLike<number>;
  /** The index in the code list of the chunk at a position. */
  placeAt(position: number): number;
  /** The estimate for the chunk at a position. */
  estimateAt(position: number): number;
}

/** How sums are converted to estimates. */
export interface Conversion {
  /** The sum whose estimate is 0. */
  zero: number;
  /** The question's factor for sums. */
  factor: number;
  /** The factor of each chunk in the code list. */
  factors: Float32Array;
}

/** Computes estimates when they are asked for: most of them never are. */
export function createEstimates(
  { depth, sums, placeAt }: Omit<Estimates, 'estimateAt'>,
  { zero, factor, factors }: Conversion,
): Estimates {
  return {
    depth,
    sums,
    placeAt,
    // Sums over bits are half as far from zero as sums over signs.
    estimateAt: (at) =>
      2 * ((sums[at] as number) - zero) * factor * (factors[placeAt(at)] as number),
  };
}
