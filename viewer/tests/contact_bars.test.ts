import { describe, expect, it } from 'vitest';
import { barsByRow, mostRows } from '../src/contact_bars';
import type { LastingData } from '../src/data';

const packed = (values: number[]) => btoa(String.fromCharCode(...new Uint8Array(new Float64Array(values).buffer)));
const data = (contact: number[], modes: string[], from: number[], to: number[]): LastingData => ({
  count: contact.length, names: [...Array(40).keys()].map((k) => `c${k}`), modes, contact: packed(contact), from: packed(from), to: packed(to),
});

describe('rows of lasting contact', () => {
  it('are the contacts that last, in the order of the scenario', () => {
    const { rows, all, bars } = barsByRow(data([7, 2, 7], ['slide', 'rest', 'stick'], [0, 1, 2], [2, 5, 4]));
    expect(rows).toEqual(['c2', 'c7']);
    expect(all).toBe(2);
    expect(bars).toEqual([
      { row: 1, mode: 'slide', from: 0, to: 2 },
      { row: 0, mode: 'rest', from: 1, to: 5 },
      { row: 1, mode: 'stick', from: 2, to: 4 },
    ]);
  });
  it('are not more than fit, and the rest is told', () => {
    const many = [...Array(30).keys()];
    const { rows, all, bars } = barsByRow(data(many, many.map(() => 'rest'), many, many.map((k) => k + 1)));
    expect(rows.length).toBe(mostRows);
    expect(all).toBe(30);
    expect(bars.length).toBe(mostRows);
  });
});
