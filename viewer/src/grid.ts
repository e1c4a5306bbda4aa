// Round numbers between two others, for grids and axes.

import { round125 } from './clock';

export function gridLines(from: number, to: number, about: number): number[] {
  const step = round125((to - from) / about);
  if (!(step > 0) || !Number.isFinite(step)) return [];
  const out: number[] = [];
  for (let k = Math.ceil(from / step); k * step <= to && out.length < 200; k++) out.push(k * step);
  return out;
}

// On a logarithmic axis: 1, 2 and 5 times powers of ten; the powers alone where there are many.
export function logLines(from: number, to: number): number[] {
  if (!(from > 0) || !(to > from) || !Number.isFinite(to)) return [];
  const leads = Math.log10(to / from) < 3 ? [1, 2, 5] : [1];
  const out: number[] = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.log10(to); power++)
    for (const lead of leads) {
      const value = Number(`${lead}e${power}`);
      if (value >= from && value <= to) out.push(value);
    }
  return out;
}
