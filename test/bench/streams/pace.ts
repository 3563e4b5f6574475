/** How a slow model answers: so many deltas, after a pause of so many milliseconds each. */
export interface Pace {
  deltas: number;
  least: number;
  most: number;
}

/** The name of a model with this pace. */
export function modelWithPace({ deltas, least, most }: Pace): string {
  return `slow-${deltas}-${least}-${most}`;
}

export function readPace(model: string): Pace {
  const [, deltas, least, most] = model.split('-').map(Number);
  return { deltas: deltas ?? 0, least: least ?? 0, most: most ?? 0 };
}
