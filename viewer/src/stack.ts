// Curves one upon the other, the last one first, so that the lower ones are drawn over it.

export function stacked(all: { name: string; y: Float64Array }[]): { name: string; y: Float64Array; fill: boolean }[] {
  let sum = new Float64Array(all[0].y.length);
  return all
    .map(({ name, y }) => ({ name, y: (sum = sum.map((below, i) => below + y[i])), fill: true }))
    .reverse();
}
