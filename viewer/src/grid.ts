// Round numbers between two others, for grids and axes.

import { round125 } from './clock';

export function gridLines(from: number, to: number, about: number): number[] {
  const step = round125((to - from) / about);
  if (!(step > 0) || !Number.isFinite(step)) return [];
  const out: number[] = [];
  for (let k = Math.ceil(from / step); k * step <= to && out.length < 200; k++) out.push(k * step);
  return out;
}
