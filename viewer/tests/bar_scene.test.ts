import { expect, test } from 'vitest';
import { stressColour } from '../src/bar_scene';

test('pressure is blue, tension red, none grey', () => {
  const [r, g, b] = stressColour(-1);
  expect(b).toBeGreaterThan(r);
  const tension = stressColour(1);
  expect(tension[0]).toBeGreaterThan(tension[2]);
  expect(new Set(stressColour(0)).size).toBe(1);
  expect(stressColour(-5)).toEqual([r, g, b]);
});
