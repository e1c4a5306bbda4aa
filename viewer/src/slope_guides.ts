// Straight lines of slope 1, 2, 4 … in a log-log plot of error over step, to read the order from: error ∝ hᵏ.

// Through the largest error at the largest step; only slopes that some measured order is near to, and their neighbours.
export function slopeGuides(steps: number[], errors: (number | null)[][], orders: (number | null)[]): { slope: number; y: number[] }[] {
  const largest = Math.max(...errors.flat().filter((e): e is number => e !== null && e > 0));
  const known = orders.filter((k): k is number => k !== null && Number.isFinite(k));
  if (!steps.length || !Number.isFinite(largest)) return [];
  const slopes = [1, 2, 4, 6, 8].filter((slope) => slope <= 2 || known.some((k) => k > slope - 1));
  const last = steps[steps.length - 1];
  return slopes.map((slope) => ({ slope, y: steps.map((h) => largest * (h / last) ** slope) }));
}
