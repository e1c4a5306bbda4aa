// What was conserved, to how many digits, and what was not: the summary of a run in plain sentences.

import { doubles, type RunData, type Summary } from './data';
import { number, plural } from './format';

export type Tone = 'kept' | 'partly' | 'lost' | 'plain';

export interface Finding {
  name: string;
  tone: Tone;
  result: string;
  note: string;
}

export const rounding = 1e-12; // relative: what rounding alone may do over a long run

// Whole decimal digits that agree: 6.7e-4 → 3.
export function digits(relative: number): number {
  return relative <= 0 ? 16 : Math.min(16, Math.max(0, Math.floor(-Math.log10(relative))));
}

// One rule for words and colours: three digits and more are kept, fewer partly, none is lost.
function kept(relative: number): { tone: Tone; result: string } {
  if (relative === 0) return { tone: 'kept', result: 'kept exactly' };
  if (relative <= rounding) return { tone: 'kept', result: `kept to rounding, ${plural(digits(relative), 'digit')}` };
  const agreeing = digits(relative);
  if (agreeing === 0) return { tone: 'lost', result: 'not kept' };
  return { tone: agreeing >= 3 ? 'kept' : 'partly', result: `kept to ${plural(agreeing, 'digit')}` };
}

// What the records say of a trend: the slope with its uncertainty, which counts impacts as a random walk, and how
// differences grow with the time between them (exponent 0: bounded, 1: random walk, 2: drift).
type Energy = Summary['energy'] & { drift_uncertainty?: number | null; spread_exponent?: number | null };

export function trend(energy: Energy): string {
  const { drift_per_time: slope, drift_uncertainty: sigma, spread_exponent: exponent } = energy;
  if (slope === null) return '';
  const rate = `${number(slope, 3)} per unit of time`;
  if (sigma === null || sigma === undefined) return `slope ${rate}, too few records to tell a drift`;
  const measured = `${number(slope, 3)} ± ${number(sigma, 1)} per unit of time`;
  if (Math.abs(slope) > 3 * sigma) return `drifts by ${measured}`;
  if ((exponent ?? 0) > 0.5) return `wanders like a random walk, with no drift beyond its uncertainty (${measured})`;
  return `oscillates without drift (${measured})`;
}

// Forces, moving obstacles, lossy impacts and friction change the energy: then its balance is what a method keeps or
// loses. Elastic impacts at fixed walls should not, whatever the method makes of them.
function isOpen(s: Summary, lossy: boolean): boolean {
  const changes = Object.entries(s.scalars ?? {}).filter(([name, x]) => /^work\.|^loss\.friction$/.test(name) && (x.min !== 0 || x.max !== 0));
  return lossy || changes.length > 0;
}

function balance(s: Summary): Finding {
  const { initial, final, min, max } = s.energy;
  const causes = Object.entries(s.scalars ?? {}).filter(([name]) => /^(work|loss)\./.test(name)).map(([name, x]) => [name, (x.final ?? 0) - (x.initial ?? 0)] as const);
  const defect = Math.abs((final ?? 0) - (initial ?? 0) - causes.reduce((sum, [, x]) => sum + x, 0));
  // what the parts of the energy give to each other: the whole may begin at zero and hardly change
  const parts = Object.entries(s.scalars ?? {}).filter(([name]) => /^energy\./.test(name)).map(([, x]) => (x.max ?? 0) - (x.min ?? 0));
  const scale = Math.max(Math.abs(initial ?? 0), (max ?? 0) - (min ?? 0), ...causes.map(([, x]) => Math.abs(x)), ...parts);
  const verdict = kept(scale > 0 ? defect / scale : 0);
  const note = [`${number(initial, 6)} at the start, ${number(final, 6)} at the end`, ...causes.filter(([, x]) => x !== 0).map(([name, x]) => `${name} ${number(x, 4)}`),
    `not accounted for ${number(defect, 3)}`].join('; ');
  return { name: 'Energy balance', tone: verdict.tone, result: verdict.result.replace('kept', 'closes').replace('not closes', 'does not close'), note };
}

function energy(s: Summary, impactChange: number, lossy: boolean): Finding {
  const { initial, final, min, max, relative_range: relative } = s.energy;
  if (min === null || max === null) return { name: 'Energy', tone: 'plain', result: 'not measured', note: '' };
  if (isOpen(s, lossy)) return balance(s);
  const range = max - min;
  const verdict =
    relative !== null
      ? kept(relative)
      : { tone: 'plain' as Tone, result: range === 0 ? 'kept exactly' : `varies by ${number(range)}` };
  const parts = [`${number(initial, 6)} at the start, ${number(final, 6)} at the end`];
  if (relative !== null) parts.push(`relative range ${number(relative, 3)}`);
  const largest = Math.max(Math.abs(min), Math.abs(max), Number.MIN_VALUE);
  const words = trend(s.energy);
  if (range / largest > rounding && words !== '') parts.push(words);
  if (s.impacts > 0 && Math.abs(impactChange) > 1e-3 * range && range > 0)
    parts.push(`impacts changed it by ${number(impactChange)}`);
  return { name: 'Energy', ...verdict, note: parts.join('; ') };
}

// `size` is that of the terms whose sum the momentum is: one that starts at zero has no other measure, and one that is
// small beside its terms is rounded as they are.
function momentum(name: string, initial: number | null, deviation: number | null, s: Summary, size: number | undefined): Finding {
  if (initial === null || deviation === null) return { name, tone: 'plain', result: 'not measured', note: '' };
  const note = `${number(initial, 6)} at the start, largest deviation ${number(deviation, 3)}`;
  // Walls, held ends and weight change it: their impulses are in the summary, on a line `impulse.supports`, in the plane
  // `impulse.supports.y` of "linear y".
  const component = name.replace(/^linear /, '');
  const causes = ['supports', 'gravity'].filter((cause) =>
    [`impulse.${cause}`, `impulse.${cause}.${component}`].some((key) => (s.scalars?.[key]?.max ?? 0) !== 0 || (s.scalars?.[key]?.min ?? 0) !== 0));
  if (causes.length > 0) return { name, tone: 'plain', result: `changed by ${causes.join(' and ').replace('gravity', 'weight')}`, note };
  const terms = size ?? Math.abs(initial);
  if (terms === 0 && deviation > 0) return { name, tone: 'plain', result: `leaves zero by ${number(deviation, 3)}`, note };
  // What rounding may do is a random walk over the steps.
  const small = deviation <= rounding * terms * Math.max(1, Math.sqrt(s.steps) / 100);
  if (Math.abs(initial) > rounding * terms) {
    const relative = deviation / Math.abs(initial);
    return { name, ...(small && relative > rounding ? { tone: 'kept' as Tone, result: 'kept to rounding of its terms' } : kept(relative)), note };
  }
  return small
    ? { name, tone: 'kept', result: 'stays zero, to rounding', note }
    : { name, tone: deviation < 1e-2 * terms ? 'partly' : 'lost', result: `leaves zero by ${number(deviation, 3)}`, note: `${note}; its terms are up to ${number(terms, 3)}` };
}

// `scale`: how much the constraint changes with the motion as a whole.
function violation(name: string, largest: number | null, scale: number): Finding | null {
  if (largest === null) return null;
  const part = largest === 0 ? 0 : largest / scale;
  const tone: Tone = part <= 1e-9 ? 'kept' : part < 1e-3 ? 'partly' : 'lost';
  return { name, tone, result: tone === 'kept' ? 'hold' : `violated by ${number(largest, 3)}`, note: `violation at most ${number(largest, 3)}` };
}

// The size of the motion that penetrations are compared with: how far gaps open, what they change with the motion (they may be
// closed all the time), or the extent of the bodies.
function size(data: RunData): number {
  const largest = (values: ArrayLike<number>) => Array.from(values).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const gaps = (data.plots ?? []).filter((plot) => plot.key === 'gaps').flatMap((plot) => plot.curves.map((c) => largest(doubles(c.y))));
  gaps.push(data.sizes?.gaps ?? 0);
  if (data.mesh) gaps.push(data.mesh.box[2] - data.mesh.box[0], data.mesh.box[3] - data.mesh.box[1]);
  return largest(gaps);
}

function contact(s: Summary, extent: number): Finding | null {
  if (s.gap_min === null) return null;
  const deep = -s.gap_min;
  const part = deep > 0 && extent > 0 ? deep / extent : deep > 0 ? Infinity : 0;
  const note = `smallest gap ${number(s.gap_min, 3)}, over every step${part > 1e-12 && part < Infinity ? `; ${number(part, 2)} of the size of the motion` : ''}`;
  if (part <= 1e-9) return { name: 'Contacts', tone: 'kept', result: 'no penetration', note };
  return { name: 'Contacts', tone: part < 1e-3 ? 'partly' : 'lost', result: `penetration of ${number(deep, 3)}`, note };
}

export function findings(data: RunData): Finding[] {
  const s = data.summary;
  const out: (Finding | null)[] = [energy(s, data.impacts.energy_change, data.impacts.lossy)];
  for (const [name, m] of Object.entries(s.momentum)) out.push(momentum(name, m.initial, m.max_deviation, s, data.sizes?.momentum[name]));
  out.push(contact(s, size(data)));
  if (s.gap_min !== null || s.impacts > 0)
    out.push({ name: 'Impacts', tone: 'plain', result: data.continuum || data.mesh ? plural(s.impacts, 'episode of contact', 'episodes of contact') : plural(s.impacts, 'impact'), note: counted(s) });
  if (data.lasting) out.push({ name: 'Lasting contact', tone: 'plain', result: s.episodes === undefined ? 'counted when the run ends' : plural(Number(s.episodes), 'episode'), note: 'closings to openings of each contact' });
  out.push(violation('Constraints', s.holonomic_max, data.sizes?.holonomic ?? 1));
  out.push(violation('Velocity constraints', s.nonholonomic_max, data.sizes?.nonholonomic ?? 1));
  for (const text of (s as { warnings?: string[] }).warnings ?? []) out.push({ name: 'Warning', tone: 'partly', result: 'look at this', note: text });
  return out.filter((f): f is Finding => f !== null);
}

function counted(s: Summary): string {
  const counters = (s.counters ?? []).filter((name) => name !== 'episodes').map((name) => [name, Number(s[name])] as const).filter(([, n]) => n > 0);
  return counters.map(([name, n]) => `${name.replaceAll('_', ' ')}: ${n}`).join('; ') || `in ${plural(s.steps, 'step')}`;
}

// One sentence for the top of the page.
export function headline(data: RunData): string {
  const by = (tone: Tone) => findings(data).filter((f) => f.tone === tone && f.name !== 'Impacts');
  const list = (found: Finding[]) => found.map((f) => `${f.name}: ${f.result}`).join('. ');
  const parts = [list(by('lost')), list(by('partly')), list(by('kept'))].filter((p) => p !== '');
  return parts.length ? parts.join('. ') + '.' : 'Nothing that could be kept was declared.';
}
