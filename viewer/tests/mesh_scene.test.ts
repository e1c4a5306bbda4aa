import { expect, test } from 'vitest';
import { unpack } from '../src/mesh_scene';

test('places are parts of the box', () => {
  const x = new Uint16Array([0, 65535, 65535, 0]);
  const box = [-1, 2, 3, 4];
  expect([0, 1, 2, 3].map((i) => unpack(x, box, i))).toEqual([-1, 4, 3, 2]);
});
