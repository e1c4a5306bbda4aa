import { expect, test } from 'vitest';
import { frameBox } from '../src/bounds';
import { Film } from '../src/film';

const base64 = (bytes: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(bytes)));
const film = new Film({ name: 'one', records: 1, stride: 1, t: base64(new Float64Array([0]).buffer), tracks: [] });

test('a cylinder is wide across its axis and as long as it', () => {
  const box = frameBox([{ kind: 'cylinder', color: '', label: '', from: [0, 0, -2], to: [0, 0, 1], radius: [1.5] }], film, 0, 3);
  expect(box).toEqual({ min: [-1.5, -1.5, -2], max: [1.5, 1.5, 1] });
});
