import { expect, test } from 'vitest';
import { grounded } from '../src/chart';
import { stacked, withoutZeros } from '../src/stack';

test('energies are stacked, the upper edge is their sum', () => {
  const list = stacked([{ name: 'a', y: new Float64Array([1, 2]) }, { name: 'b', y: new Float64Array([3, 4]) }]);
  expect(list.map((c) => c.name)).toEqual(['b', 'a']);
  expect([...list[0].y]).toEqual([4, 6]);
  expect([...list[1].y]).toEqual([1, 2]);
});

test('what is always zero has no curve, but something is left', () => {
  const [zero, one] = [{ name: 'zero', y: new Float64Array([0, 0]) }, { name: 'one', y: new Float64Array([0, 1]) }];
  expect(stacked([one, zero]).map((c) => c.name)).toEqual(['one']);
  expect(withoutZeros([zero, zero]).length).toBe(1);
});

test('the axis of areas begins at zero', () => {
  expect(grounded(null, 2, 4)[0]).toBe(0);
  expect(grounded(null, -4, -2)[1]).toBe(0);
  expect(grounded(null, -1, 2)).toEqual([-1.18, 2.18]);
});
