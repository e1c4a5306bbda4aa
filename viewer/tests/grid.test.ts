import { describe, expect, it } from 'vitest';
import { axisLines, gridLines } from '../src/grid';

describe('lines of an axis', () => {
  it('are multiples of the step', () => expect(axisLines(-0.9, 2.1, 1)).toEqual([-0, 1, 2]));
  it('are there for rounding errors too, for which the step is too long', () => {
    for (const unit of [1e-290, 1e-17, 1, 1e12]) {
      const lines = axisLines(-0.9 * unit, 2.1 * unit, 1e13);
      expect(lines.length).toBeGreaterThan(1);
      for (const x of lines) expect(x >= -0.9 * unit && x <= 2.1 * unit).toBe(true);
    }
  });
  it('are none without a range', () => {
    expect(axisLines(1, 1, 0)).toEqual([]);
    expect(gridLines(1, 1, 4)).toEqual([]);
  });
});
