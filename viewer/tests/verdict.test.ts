import { describe, expect, it } from 'vitest';
import type { RunData, Summary } from '../src/data';
import { digits, findings, trend } from '../src/verdict';

const summary = (change: Partial<Summary> = {}): Summary => ({
  title: 'T', method: 'm', discretization: 'd', step: 0.01, steps: 1000, impacts: 0, status: 'completed', message: '',
  time: { start: 0, end: 100 }, wall_seconds: 1, state_hash: '',
  energy: { initial: 2, final: 2, min: 2, max: 2.001, relative_range: 5e-4, drift_per_time: 0 },
  momentum: {}, gap_min: null, holonomic_max: null, nonholonomic_max: null, ...change,
});
const of = (s: Summary, energy_change = 0) => findings({ summary: s, impacts: { energy_change } } as unknown as RunData);
const energy = (min: number, max: number, drift: number, s: Partial<Summary> = {}) =>
  summary({ energy: { initial: 2, final: max, min, max, relative_range: (max - min) / 2, drift_per_time: drift }, ...s });

describe('digits', () => {
  it('counts whole decimal digits that agree', () => {
    expect(digits(6.7e-4)).toBe(3);
    expect(digits(0.5)).toBe(0);
    expect(digits(0)).toBe(16);
  });
});

describe('energy', () => {
  const trending = (slope: number | null, sigma: number | null, exponent: number | null) =>
    trend({ initial: 2, final: 2, min: 2, max: 2, relative_range: 0, drift_per_time: slope, drift_uncertainty: sigma, spread_exponent: exponent });
  it('without drift where the slope is within its uncertainty and nothing spreads', () => {
    expect(trending(1e-9, 1e-9, 0.1)).toBe('oscillates without drift (1.00·10⁻⁹ ± 1·10⁻⁹ per unit of time)');
    for (const [slope, sigma, exponent] of [[1e-5, 1e-6, 2], [-1e-5, 1e-6, 0], [1e-9, 1e-9, 1], [1e-9, null, null]] as const)
      expect(trending(slope, sigma, exponent)).not.toContain('without drift');
  });
  it('drifts where the slope is beyond its uncertainty, also in a narrow range', () => {
    expect(trending(-1e-5, 1e-6, 2)).toContain('drifts by');
    expect(trending(2e-6, 1e-6, 2)).not.toContain('drifts by');
  });
  it('a random walk is called one', () => {
    expect(trending(1e-6, 1e-6, 1)).toContain('random walk');
    expect(trending(1e-6, 1e-6, 0)).not.toContain('random walk');
    expect(trending(1e-5, 1e-6, 1)).not.toContain('random walk');
  });
  it('few records say nothing of a drift', () => expect(trending(1e-6, null, null)).toContain('too few records'));
  it('one rule for digits and colours', () => {
    const tone = (relative: number) => of(energy(2, 2 + 2 * relative, 1))[0];
    expect(tone(5e-6)).toMatchObject({ tone: 'kept', result: 'kept to 5 digits' });
    expect(tone(9e-4)).toMatchObject({ tone: 'kept', result: 'kept to 3 digits' });
    expect(tone(2e-3)).toMatchObject({ tone: 'partly', result: 'kept to 2 digits' });
    expect(tone(0.2)).toMatchObject({ tone: 'lost', result: 'not kept' });
  });
  it('warnings of the run are findings, and nothing else is', () => {
    expect(of({ ...summary(), warnings: ['the step is long'] } as unknown as Summary).at(-1)).toMatchObject({ name: 'Warning', note: 'the step is long' });
    expect(of(summary()).map((f) => f.name)).not.toContain('Warning');
  });
  it('lost', () => expect(of(energy(1, 2, -0.01))[0]).toMatchObject({ tone: 'lost', result: 'not kept' }));
  it('says what the impacts took', () => expect(of(energy(1, 2, -0.01, { impacts: 3 }), -1)[0].note).toContain('impacts changed it by −1'));
  it('without a start to compare with, the range is told', () => {
    const [e] = of(summary({ energy: { initial: 0, final: 0, min: 0, max: 0.5, relative_range: null, drift_per_time: 0 } }));
    expect(e).toMatchObject({ tone: 'plain', result: 'varies by 0.5' });
  });
});

describe('energy balance', () => {
  const scalars = (work: number, loss: number) => ({
    'work.drag': { initial: 0, final: work, min: Math.min(work, 0), max: Math.max(work, 0) },
    'loss.impact': { initial: 0, final: loss, min: loss, max: 0 },
  });
  it('of a system that forces change is what counts, not its energy', () => {
    const [e] = of(energy(1, 1.5, -0.01, { scalars: scalars(-0.3, -0.2001) })); // 2 → 1.5
    expect(e).toMatchObject({ name: 'Energy balance', tone: 'kept', result: 'closes to 4 digits' });
    expect(e.note).toContain('work.drag −0.3');
  });
  it('is measured by what its parts give to each other, where the whole is next to nothing', () => {
    const part = (max: number) => ({ initial: 0, final: 0, min: 0, max });
    for (const unit of [1e-15, 1, 1e12]) {
      const [e] = of(summary({ energy: { initial: 0, final: 1.1e-4 * unit, min: 0, max: 1.1e-4 * unit, relative_range: null, drift_per_time: 0 },
        scalars: { 'work.contact': { initial: 0, final: 9e-5 * unit, min: 0, max: 9e-5 * unit }, 'energy.elastic': part(unit), 'energy.kinetic': part(unit) } }));
      expect(e).toMatchObject({ tone: 'kept', result: 'closes to 4 digits' });
    }
  });
  it('that does not close', () => {
    const [e] = of(energy(1, 1.5, -0.01, { scalars: scalars(0.5, 0) }));
    expect(e).toMatchObject({ tone: 'lost', result: 'does not close' });
  });
  it('is asked for where impacts lose, and not where they are elastic', () => {
    const s = energy(1, 1.5, -0.01, { impacts: 2, scalars: { 'loss.impact': { initial: 0, final: -0.5, min: -0.5, max: 0 } } });
    const impacts = (lossy: boolean) => findings({ summary: s, impacts: { energy_change: -0.5, lossy } } as unknown as RunData)[0].name;
    expect(impacts(true)).toBe('Energy balance');
    expect(impacts(false)).toBe('Energy');
  });
  it('is asked for where friction takes energy, without any impact', () => {
    const rubbing = (loss: number) => energy(1, 1.5, -0.01, { scalars: { 'loss.friction': { initial: 0, final: loss, min: loss, max: 0 } } });
    expect(of(rubbing(-0.5))[0]).toMatchObject({ name: 'Energy balance', tone: 'kept' });
    expect(of(rubbing(0))[0].name).toBe('Energy');
  });
});

describe('momenta', () => {
  const one = (initial: number, max_deviation: number) => of(summary({ momentum: { p: { initial, max_deviation } } }))[1];
  it('to rounding', () => expect(one(-2, 1e-14)).toMatchObject({ name: 'p', tone: 'kept', result: 'kept to rounding, 14 digits' }));
  it('exactly', () => expect(one(-2, 0).result).toBe('kept exactly'));
  it('of zero, compared with the size of its terms', () => {
    const sized = (deviation: number, size: number) => findings({ summary: summary({ momentum: { p: { initial: 0, max_deviation: deviation } } }), impacts: { energy_change: 0 },
      sizes: { momentum: { p: size }, holonomic: null, nonholonomic: null } } as unknown as RunData)[1].tone;
    for (const unit of [1e-15, 1, 1e12]) expect([1e-13, 1e-5, 1].map((d) => sized(d * unit, unit))).toEqual(['kept', 'partly', 'lost']);
  });
  it('that is small beside its terms is rounded as they are, in any units', () => {
    const sized = (initial: number, max_deviation: number, size: number) => findings({ summary: summary({ momentum: { p: { initial, max_deviation } } }), impacts: { energy_change: 0 },
      sizes: { momentum: { p: size }, holonomic: null, nonholonomic: null } } as unknown as RunData)[1];
    for (const unit of [1e-15, 1, 1e12]) {
      expect(sized(1e-10 * unit, 1e-13 * unit, unit)).toMatchObject({ tone: 'kept', result: 'kept to rounding of its terms' });
      expect(sized(1e-10 * unit, 1e-11 * unit, unit)).toMatchObject({ tone: 'partly', result: 'kept to 1 digit' });
    }
  });
  it('of zero whose terms nobody knows is not judged by a number', () => {
    for (const unit of [1e-15, 1, 1e12]) expect(one(0, unit).tone).toBe('plain');
    expect(one(0, 0)).toMatchObject({ tone: 'kept', result: 'stays zero, to rounding' });
  });
});

describe('momenta that walls and weight change', () => {
  const impulse = (key: string, size: number) => ({ [key]: { initial: 0, final: size, min: 0, max: size } });
  const one = (name: string, scalars: Summary['scalars']) => of(summary({ momentum: { [name]: { initial: 1e-6, max_deviation: 0.02 } }, scalars }))[1];
  it('on a line and in the plane', () => {
    expect(one('linear x', impulse('impulse.gravity', 1))).toMatchObject({ tone: 'plain', result: 'changed by weight' });
    expect(one('linear y', { ...impulse('impulse.gravity.y', 1), ...impulse('impulse.supports.y', 1) })).toMatchObject({ tone: 'plain', result: 'changed by supports and weight' });
    expect(one('angular', impulse('impulse.supports.angular', 1))).toMatchObject({ tone: 'plain' });
  });
  it('not by those of another direction, nor by none', () => {
    expect(one('linear x', impulse('impulse.supports.y', 1)).tone).toBe('lost');
    expect(one('linear y', impulse('impulse.supports.y', 0)).tone).toBe('lost');
  });
});

describe('contacts', () => {
  // A run whose gaps open to `largest`.
  const deep = (gap_min: number, largest: number, gaps: number | null = null) => {
    const y = btoa(String.fromCharCode(...new Uint8Array(Float64Array.of(0, largest).buffer)));
    return findings({ summary: summary({ gap_min }), impacts: { energy_change: 0 }, plots: [{ key: 'gaps', title: '', of: 1, curves: [{ name: 'g', y }] }], sizes: { momentum: {}, holonomic: null, nonholonomic: null, gaps } } as unknown as RunData)[1];
  };
  it('gaps that are closed all the time, to rounding', () => expect(deep(-5e-17, 5e-17, 1)).toMatchObject({ tone: 'kept', result: 'no penetration' }));
  it('no penetration, but for rounding', () => expect(deep(-1e-15, 1).result).toBe('no penetration'));
  it('penetration', () => expect(deep(-0.02, 1)).toMatchObject({ tone: 'lost', result: 'penetration of 0.02' }));
  it('is judged by the size of the motion, not by its unit', () => {
    for (const unit of [1e-9, 1, 1e9]) {
      expect(deep(-1e-12 * unit, unit).tone).toBe('kept');
      expect(deep(-1e-5 * unit, unit).tone).toBe('partly');
      expect(deep(-0.02 * unit, unit).tone).toBe('lost');
    }
  });
  it('impacts with what was counted', () => {
    const s = summary({ gap_min: 0, impacts: 7, counters: ['multi_impact_steps', 'grazing'], multi_impact_steps: 2, grazing: 0 });
    expect(of(s)[2]).toMatchObject({ result: '7 impacts', note: 'multi impact steps: 2' });
  });
});

describe('constraints', () => {
  const one = (change: Partial<Summary>, name: string, scale = 1) =>
    findings({ summary: summary(change), impacts: { energy_change: 0 }, sizes: { momentum: {}, holonomic: scale, nonholonomic: scale } } as unknown as RunData).find((f) => f.name === name);
  it('are judged by their own size', () => {
    for (const unit of [1e-12, 1, 1e12]) expect(one({ holonomic_max: 1e-5 * unit }, 'Constraints', unit)?.tone).toBe('partly');
  });
  it('hold, or are violated by what is said', () => {
    expect(one({ holonomic_max: 1e-15 }, 'Constraints')).toMatchObject({ tone: 'kept', result: 'hold' });
    expect(one({ holonomic_max: 1e-5 }, 'Constraints')?.tone).toBe('partly');
    expect(one({ nonholonomic_max: 0.5 }, 'Velocity constraints')).toMatchObject({ tone: 'lost', result: 'violated by 0.5' });
  });
  it('are no card where there are none', () => {
    expect(one({}, 'Constraints')).toBeUndefined();
    expect(one({}, 'Velocity constraints')).toBeUndefined();
  });
});
