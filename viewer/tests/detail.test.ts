import { expect, test } from 'vitest';
import { detail } from '../src/detail';

const n = 100000;
const t = Float64Array.from({ length: n }, (_, k) => k / 1000);
const wave = Float64Array.from(t, (x) => Math.sin(50 * x));
const spike = Float64Array.from(t, (_, k) => (k === 33333 ? 7 : 0));

test('the whole in few points keeps ends and peaks', () => {
  const d = detail({ t, ys: [wave, spike] }, -Infinity, Infinity, 4001);
  expect(d.t.length).toBeLessThanOrEqual(4001);
  expect(d.t[0]).toBe(0);
  expect(d.t[d.t.length - 1]).toBe(t[n - 1]);
  expect(Math.max(...(d.ys[1] as number[]))).toBe(7);
  expect(d.ys.map((y) => y.length)).toEqual([d.t.length, d.t.length]);
});

test('a window shows every record where it can, and the ends of the whole beyond it', () => {
  const d = detail({ t, ys: [wave] }, 20, 21, 4001);
  expect(d.t[0]).toBe(0);
  expect(d.t[d.t.length - 1]).toBe(t[n - 1]);
  const inside = d.t.filter((x) => x >= 20 && x <= 21);
  expect(inside.length).toBe(1001);
  expect(d.ys[0][d.t.indexOf(20.5)]).toBe(wave[20500]);
});

test('times never go back', () => {
  for (const [from, to] of [[-Infinity, Infinity], [0, 50], [49.9995, 50.0005], [99, 200]]) {
    const d = detail({ t, ys: [wave] }, from, to, 100);
    for (let k = 1; k < d.t.length; k++) expect(d.t[k]).toBeGreaterThanOrEqual(d.t[k - 1]);
  }
});

test('holes stay holes', () => {
  const holes = Array.from({ length: 1000 }, (_, k) => (k % 2 ? null : k));
  const d = detail({ t: t.slice(0, 1000), ys: [holes] }, -Infinity, Infinity, 100);
  expect(d.ys[0].filter((v) => v !== null).length).toBe(d.t.length);
  expect(detail({ t: [0, 1, 2], ys: [[null, null, null]] }, -Infinity, Infinity, 2).ys[0].every((v) => v === null)).toBe(true);
});
