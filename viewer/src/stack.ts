// Curves one upon the other, the last one first, so that the lower ones are drawn over it.

interface Curve {
  name: string;
  y: Float64Array;
}

// What is zero all the time needs no curve; the first stays.
export function withoutZeros<C extends Curve>(all: C[]): C[] {
  return all.filter(({ y }, k) => k === 0 || y.some((value) => value !== 0));
}

export function stacked(all: Curve[]): (Curve & { fill: boolean })[] {
  let sum = new Float64Array(all[0].y.length);
  return withoutZeros(all)
    .map(({ name, y }) => ({ name, y: (sum = sum.map((below, i) => below + y[i])), fill: true }))
    .reverse();
}
