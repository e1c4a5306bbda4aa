import { describe, expect, it } from 'vitest';
import { filmBox } from '../src/bounds';
import { Camera, runawayAxis } from '../src/camera';
import type { ShapeData } from '../src/data';
import { Film } from '../src/film';

const base64 = (array: Float64Array | Float32Array) => Buffer.from(array.buffer).toString('base64');
const film = new Film({ name: 'f', records: 2, stride: 1, t: base64(new Float64Array([0, 1])), tracks: [base64(new Float32Array([0, 30]))] });
const shape = (change: Partial<ShapeData>): ShapeData => ({ kind: 'circle', color: '', label: '', ...change });

describe('filmBox', () => {
  it('holds every shape in every frame', () => {
    const { box, size } = filmBox([shape({ at: [{ track: 0 }, 2], radius: [1] }), shape({ kind: 'segment', from: [-5, 0], to: [0, 0] })], film, 2);
    expect(box).toEqual({ min: [-5, 0], max: [31, 3] });
    expect(size).toEqual([2, 2]); // only what moves
  });
  it('is not filled by a plane, nor broken by a formula without value', () => {
    const { box } = filmBox([shape({ kind: 'plane', at: [0, 0], normal: [0, 1] }), shape({ at: [NaN, 1], radius: [1] })], film, 2);
    expect(box).toEqual({ min: [0, 0], max: [0, 0] });
  });
});

describe('Camera', () => {
  it('follows what runs away along one axis', () => {
    expect(runawayAxis({ min: [0, 0], max: [30, 3] }, [1, 1])).toBe(0);
    expect(runawayAxis({ min: [0, 0], max: [3, 30] }, [1, 1])).toBe(1);
    expect(runawayAxis({ min: [0, 0], max: [32, 1] }, [30, 1])).toBe(null); // a long body, at rest
  });
  it('fits the picture into the window', () => {
    const { x, y, scale } = new Camera({ min: [0, 0], max: [2, 4] }, [1, 1]).view(400, 400, [0, 0]);
    expect([x, y]).toEqual([1, 2]);
    expect(scale * 4).toBeLessThan(400);
    expect(scale * 4).toBeGreaterThan(300);
  });
  it('keeps the follower in the middle', () => {
    expect(new Camera({ min: [0, 0], max: [30, 3] }, [1, 1]).view(400, 200, [17, 1]).x).toBe(17);
  });
});
