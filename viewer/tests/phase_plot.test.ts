// @vitest-environment node
import { expect, test, vi } from 'vitest';
vi.mock('uplot', () => ({ default: class {} }));
import { joins } from '../src/phase_plot';

const orbit = (times: number[]) => ({ t: times, q: times.map(Math.cos), v: times.map((t) => -Math.sin(t)) });

test('a circle of fine records is one line', () => {
  const { length } = orbit([...Array(200).keys()].map((k) => k * 0.05)).t;
  expect([...joins(orbit([...Array(200).keys()].map((k) => k * 0.05)))].filter((j) => j).length).toBe(length - 1);
});

test('records a period and more apart are points', () => {
  expect([...joins(orbit([...Array(50).keys()].map((k) => k * 7.5)))].some((j) => j)).toBe(false);
});

test('an impact is a jump of the velocity and breaks the line', () => {
  const t = [0, 0.1, 0.2, 0.3];
  expect([...joins({ t, q: [0.2, 0.1, 0.1, 0.2], v: [-1, -1, 1, 1] })]).toEqual([0, 1, 0, 1]);
});
