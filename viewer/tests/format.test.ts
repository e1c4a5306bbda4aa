import { describe, expect, it } from 'vitest';
import { count, logTicks, number, plural, ticks } from '../src/format';

describe('number', () => {
  it('is short', () => {
    expect([0, 1.5, -2, 123456.789, 1 / 3].map((x) => number(x))).toEqual(['0', '1.5', '−2', '123500', '0.3333']);
  });
  it('has powers of ten where digits would not do', () => {
    expect(number(6.682e-4, 3)).toBe('6.68·10⁻⁴');
    expect(number(-1.2e15)).toBe('−1.20·10¹⁵');
  });
  it('of nothing is a dash', () => expect([null, undefined, NaN].map((x) => number(x))).toEqual(['–', '–', '–']));
});

it('counts', () => {
  expect(count(1234567)).toBe('1\u202f234\u202f567');
  expect([plural(1, 'impact'), plural(2, 'impact')]).toEqual(['1 impact', '2 impacts']);
});

describe('ticks', () => {
  it('show the digits that tell them apart', () => {
    expect(ticks([-0.5, -0.25, 0, 0.25])).toEqual(['−0.50', '−0.25', '0', '0.25']);
    expect(ticks([0, 100, 200])).toEqual(['0', '100', '200']);
    expect(ticks([0, 2e-15, 4e-15])).toEqual(['0', '2e−15', '4e−15']);
    expect(ticks([0])).toEqual(['0']);
  });
  it('of logarithmic axes are powers of ten', () => {
    expect(logTicks([0.001, 0.002, 0.01, 1])).toEqual(['10⁻³', '', '0.01', '1']);
    expect(logTicks([0.01, 0.02, 0.03, 0.05])).toEqual(['0.01', '0.02', '', '0.05']);
  });
});
