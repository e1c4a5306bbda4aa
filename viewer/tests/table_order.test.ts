import { expect, it } from 'vitest';
import { pageCount, sortedRows } from '../src/table_order';

it('sorts numbers by size, not by their text', () => expect(sortedRows([10, 9, 100], false)).toEqual([1, 0, 2]));
it('sorts down', () => expect(sortedRows([10, 9, 100], true)).toEqual([2, 0, 1]));
it('keeps the order of equals', () => expect(sortedRows([1, 0, 1, 0], true)).toEqual([0, 2, 1, 3]));
it('puts what is missing last, both ways', () => {
  expect(sortedRows([NaN, 2, 1], false)).toEqual([2, 1, 0]);
  expect(sortedRows([NaN, 2, 1], true)).toEqual([1, 2, 0]);
});
it('sorts names with numbers as people do', () => expect(sortedRows(['wall[10]', 'wall[9]'], false)).toEqual([1, 0]));
it('counts pages', () => expect([0, 25, 26].map((n) => pageCount(n, 25))).toEqual([1, 1, 2]));
