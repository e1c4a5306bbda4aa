import { expect, test } from 'vitest';
import { slopeGuides } from '../src/slope_guides';

test('guides pass through the largest error at the largest step with their slope', () => {
  const guides = slopeGuides([0.1, 0.2, 0.4], [[1e-4, 4e-4, 16e-4]], [2]);
  expect(guides.map((g) => g.slope)).toEqual([1, 2]);
  expect(guides[1].y[0]).toBeCloseTo(1e-4, 12);
  expect(guides[0].y[0]).toBeCloseTo(4e-4, 12);
});

test('no error, no guide', () => {
  expect(slopeGuides([0.1], [[null]], [null])).toEqual([]);
});
