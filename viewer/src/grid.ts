// Round numbers between two others, for grids and axes.

import { round125 } from './clock';

export function gridLines(from: number, to: number, about: number): number[] {
  return multiples(from, to, round125((to - from) / about));
}

function multiples(from: number, to: number, step: number): number[] {
  if (!(step > 0) || !Number.isFinite(step)) return [];
  const out: number[] = [];
  for (let k = Math.ceil(from / step); k * step <= to && out.length < 200; k++) out.push(k * step);
  return out;
}

// Those of a step that was chosen elsewhere, or of our own where that leaves fewer than two: rounding errors are smaller
// than any step of uPlot's.
export function axisLines(from: number, to: number, step: number): number[] {
  const lines = multiples(from, to, step);
  return lines.length > 1 ? lines : gridLines(from, to, 4);
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
