import { expect, test } from 'vitest';
import { stacked } from '../src/stack';

test('energies are stacked, the upper edge is their sum', () => {
  const list = stacked([{ name: 'a', y: new Float64Array([1, 2]) }, { name: 'b', y: new Float64Array([3, 4]) }]);
  expect(list.map((c) => c.name)).toEqual(['b', 'a']);
  expect([...list[0].y]).toEqual([4, 6]);
  expect([...list[1].y]).toEqual([1, 2]);
});
