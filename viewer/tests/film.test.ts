import { describe, expect, it } from 'vitest';
import { Film, indexAt } from '../src/film';

const base64 = (array: Float64Array | Float32Array) => Buffer.from(array.buffer).toString('base64');
const film = (stride: number) =>
  new Film({ name: 'whole run', records: 3, stride, t: base64(new Float64Array([0, 1, 3])), tracks: [base64(new Float32Array([0, 10, 30]))] });

describe('indexAt', () => {
  it('is the last that is not later', () => {
    expect([-1, 0, 0.5, 1, 2.9, 3, 9].map((t) => indexAt([0, 1, 3], t))).toEqual([0, 0, 0, 1, 1, 2, 2]);
  });
});

describe('Film', () => {
  it('reads numbers bit by bit and interpolates between records', () => {
    const f = film(1);
    expect([f.start, f.end, f.length]).toEqual([0, 3, 3]);
    expect(f.frameAt(2)).toBe(1.5);
    expect(f.value({ track: 0 }, 1.5)).toBe(20);
    expect(f.values([7, { track: 0 }], 1)).toEqual([7, 10]);
  });
  it('makes up nothing between distant records', () => {
    expect(film(100).frameAt(1.5)).toBe(1);
    expect(film(100).frameAt(2.5)).toBe(2);
  });
  it('has a last frame', () => expect(film(1).frameAt(99)).toBe(2));
});
