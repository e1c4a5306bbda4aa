import { expect, test } from 'vitest';
import { Landscape } from '../src/landscape';

const base64 = (numbers: number[]) => btoa(String.fromCharCode(...new Uint8Array(new Float32Array(numbers).buffer)));
const plane = (gap: number[]) => new Landscape({ x: 'a', y: 'b', from: [0, 0], to: [2, 2], columns: 2, rows: 2, gap: base64(gap), hidden: [] });

test('linear between the centres of the cells, so that a straight boundary stays straight', () => {
  const land = plane([0.5, 1.5, 0.5, 1.5]); // g = x
  expect(land.at(0.5, 0.5)).toBeCloseTo(0.5);
  expect(land.at(1, 0.7)).toBeCloseTo(1);
  expect(land.at(1.25, 1.9)).toBeCloseTo(1.25);
});

test('without gaps nothing is shaded', () => {
  expect(new Landscape({ x: 'a', y: 'b', from: [0, 0], to: [1, 1], columns: 0, rows: 0, gap: '', hidden: [] }).shaded).toBe(false);
});
