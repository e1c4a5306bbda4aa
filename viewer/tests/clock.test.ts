import { describe, expect, it } from 'vitest';
import { Clock, fittingSpeed, round125 } from '../src/clock';

describe('Clock', () => {
  it('runs at its speed and stops at the end', () => {
    const clock = new Clock(0, 10);
    clock.speed = 4;
    clock.tick(1);
    expect(clock.time).toBe(0); // not playing
    clock.play();
    clock.tick(1);
    expect(clock.time).toBe(4);
    clock.tick(2);
    expect(clock.time).toBe(10);
    expect(clock.playing).toBe(false);
  });
  it('plays from the start again when it is at the end', () => {
    const clock = new Clock(0, 10);
    clock.seek(10);
    clock.play();
    expect(clock.time).toBe(0);
  });
  it('stays in its range and tells its listeners', () => {
    const clock = new Clock(1, 2);
    let told = 0;
    clock.listen(() => ++told);
    clock.seek(5);
    expect(clock.time).toBe(2);
    clock.setRange(0, 1.5);
    expect(clock.time).toBe(1.5);
    expect(told).toBe(2);
  });
  it('does not play a single frame', () => {
    const clock = new Clock(3, 3);
    clock.play();
    expect(clock.playing).toBe(false);
  });
});

describe('speeds', () => {
  it('are 1, 2 or 5 times a power of ten', () => {
    expect([0.0013, 0.7, 3, 4, 80].map(round125)).toEqual([0.001, 0.5, 2, 5, 100]);
  });
  it('fit the duration', () => {
    expect(fittingSpeed(20)).toBe(1);
    expect(fittingSpeed(3000)).toBe(100);
    expect(fittingSpeed(0.003)).toBe(0.0002); // 0.0003, rounded to 1, 2 or 5
    expect(fittingSpeed(1)).toBe(0.1);
    expect(fittingSpeed(0)).toBe(1);
  });
});
