// Levels of detail: of curves over time as many points as a screen shows, more of them where one zooms in. Of each
// bucket of records every curve keeps its smallest and largest value in their order, so that no peak is lost.

export type Value = number | null | undefined;

export interface Curves {
  t: ArrayLike<number>;
  ys: ArrayLike<Value>[];
}

// The first index with t[i] >= x.
function lowerBound(t: ArrayLike<number>, x: number): number {
  let [low, high] = [0, t.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (t[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

// At most about `most` points of the window from … to, one more on each side, and the ends of the whole, by which a
// double click finds the way back.
export function detail({ t, ys }: Curves, from: number, to: number, most: number): { t: number[]; ys: Value[][] } {
  const n = t.length;
  const first = Math.max(0, lowerBound(t, from) - 1);
  const last = Math.min(n - 1, lowerBound(t, to));
  const out: { t: number[]; ys: Value[][] } = { t: [], ys: ys.map(() => []) };
  const keep = (i: number) => {
    out.t.push(t[i]);
    ys.forEach((y, k) => out.ys[k].push(y[i]));
  };
  if (first > 0) keep(0);
  const inside = last - first + 1;
  const size = inside <= most ? 1 : Math.ceil((2 * inside) / most);
  for (let i = first; i <= last; i += size) {
    const end = Math.min(i + size - 1, last);
    if (end === i) {
      keep(i);
      continue;
    }
    out.t.push(t[i], t[end]);
    ys.forEach((y, k) => out.ys[k].push(...extremes(y, i, end)));
  }
  if (last < n - 1) keep(n - 1);
  return out;
}

function extremes(y: ArrayLike<Value>, first: number, last: number): [Value, Value] {
  let [low, high] = [-1, -1];
  for (let i = first; i <= last; i++) {
    const v = y[i];
    if (v === null || v === undefined || !Number.isFinite(v)) continue;
    if (low < 0 || v < y[low]!) low = i;
    if (high < 0 || v > y[high]!) high = i;
  }
  if (low < 0) return [y[first], y[last]];
  return low <= high ? [y[low], y[high]] : [y[high], y[low]];
}
