import { expect, it } from 'vitest';
import { gridLines, logLines } from '../src/grid';
import { placed, rectangle, spring } from '../src/outline';

it('a spring ends where it should, with its coils between', () => {
  const points = spring([0, 0], [4, 0], 3, 0.5);
  expect(points[0]).toEqual([0, 0]);
  expect(points[points.length - 1]).toEqual([4, 0]);
  expect(points.slice(1, -1).map((p) => Math.sign(p[1]))).toEqual([1, -1, 1, -1, 1, -1]);
});
it('turns, then moves', () => {
  const [[x, y]] = placed([[1, 0]], [10, 20], Math.PI / 2);
  expect(x).toBeCloseTo(10);
  expect(y).toBeCloseTo(21);
});
it('a rectangle is centred', () => expect(rectangle([2, 4])).toEqual([[-1, -2], [1, -2], [1, 2], [-1, 2]]));
it('grid lines are round', () => {
  expect(gridLines(0.1, 10.2, 5)).toEqual([2, 4, 6, 8, 10]);
  expect(gridLines(1, 1, 5)).toEqual([]);
});
it('logarithmic lines are round, wherever the axis begins', () => {
  expect(logLines(0.00999999, 0.3)).toEqual([0.01, 0.02, 0.05, 0.1, 0.2]);
  expect(logLines(1e-14, 1e-3).length).toBe(12);
  expect(logLines(0, 1)).toEqual([]);
});
