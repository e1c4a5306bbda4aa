import { expect, test } from 'vitest';
import { axes, bounds, nearest } from '../src/section_plot';

test('each quantity can be shown over itself at the next point', () => {
  const all = axes(['x', 'v'], [Float64Array.of(1, 2, 3), Float64Array.of(4, 5, 6)]);
  expect(all.map((a) => a.name)).toEqual(['x', 'v', 'next x', 'next v']);
  expect([...all[2].values]).toEqual([2, 3, NaN]);
});

test('bounds leave out what is no number', () => {
  const [low, high] = bounds([NaN, 1, 3]);
  expect(low).toBeLessThan(1);
  expect(high).toBeGreaterThan(3);
  expect(bounds([NaN])).toEqual([0, 1]);
});

test('the nearest point on the screen; points without a place are none', () => {
  const places: [number, number][] = [[0, 0], [NaN, NaN], [10, 0]];
  expect(nearest((k) => places[k], 3, 7, 1)).toBe(2);
  expect(nearest(() => [NaN, NaN], 3, 7, 1)).toBe(-1);
});
