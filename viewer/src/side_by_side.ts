// The rows of a comparison or an audit: one name, one cell for each method.

import type { AuditResult, CompareResult } from './data';
import { count, number } from './format';

export interface Row {
  name: string;
  cells: string[];
}

type Column<M> = [string, (m: M) => string];

function table<M extends { refused: string | null }>(methods: M[], columns: Column<M>[]): Row[] {
  return columns
    .map(([name, cell]) => ({ name, cells: methods.map((m) => (m.refused ? '–' : cell(m))) }))
    .filter((row) => row.cells.some((cell) => cell !== '–')); // what nobody measured is no row
}

const withUncertainty = (value: number | null | undefined, uncertainty: number | null | undefined) =>
  value === null || value === undefined ? '–' : number(value, 3) + (uncertainty ? ` ± ${number(uncertainty, 2)}` : '');

export function auditRows({ audits }: AuditResult): Row[] {
  const momenta = [...new Set(audits.flatMap((a) => Object.keys(a.momentum ?? {})))];
  return table(audits, [
    ['step', (a) => number(a.step)],
    ['order', (a) => withUncertainty(a.order?.value, a.order?.uncertainty)],
    ['energy, relative range', (a) => number(a.energy?.relative_range, 3)],
    ['energy, drift per time', (a) => withUncertainty(a.energy?.drift_per_time, a.energy?.drift_uncertainty)],
    ...momenta.map((name): Column<AuditResult['audits'][0]> => [`${name}, largest deviation`, (a) => number(a.momentum?.[name]?.max_deviation, 3)]),
    ['symplecticity defect, smooth steps', (a) => number(a.symplecticity?.smooth, 2)],
    ['symplecticity defect, impact steps', (a) => number(a.symplecticity?.impact, 2)],
    ['penetration at grid points', (a) => number(a.penetration?.grid, 2)],
    ['penetration between them', (a) => number(a.penetration?.between, 2)],
    ['reversibility defect', (a) => number(a.reversibility?.defect, 2)],
    ['impact times, largest error', (a) => number(a.impact_times?.max_error, 2)],
    ['time per step, ns', (a) => number(a.nanoseconds_per_step, 3)],
  ]);
}

export function compareRows({ methods }: CompareResult): Row[] {
  const momenta = [...new Set(methods.flatMap((m) => Object.keys(m.summary?.momentum ?? {})))];
  return table(methods, [
    ['status', (m) => m.summary?.status ?? '–'],
    ['steps', (m) => (m.summary ? count(m.summary.steps) : '–')],
    ['impacts', (m) => (m.summary ? count(m.summary.impacts) : '–')],
    ['energy, relative range', (m) => number(m.summary?.energy.relative_range, 3)],
    ['energy, drift per time', (m) => number(m.summary?.energy.drift_per_time, 3)],
    ...momenta.map((name): Column<CompareResult['methods'][0]> => [`${name}, largest deviation`, (m) => number(m.summary?.momentum[name]?.max_deviation, 3)]),
    ['smallest gap', (m) => number(m.summary?.gap_min, 3)],
    ['distance from the reference', (m) => number(m.distance, 3)],
    ['time per step, ns', (m) => number(m.nanoseconds_per_step, 3)],
  ]);
}

// Sentences below the table: what was refused or failed, and what errors are measured against.
export function remarks(result: AuditResult | CompareResult): string[] {
  const out: string[] = [];
  const horizon = (h: { time: number; impacts: number } | null | undefined, truth: string | null | undefined) =>
    h && truth ? `Errors are measured against: ${truth}, up to t = start + ${number(h.time)} (${count(h.impacts)} impacts).` : null;
  const list = 'audits' in result ? result.audits : result.methods;
  for (const m of list) if (m.refused) out.push(`${m.method}: ${m.refused}`);
  if ('audits' in result) {
    for (const a of result.audits) {
      for (const note of [...(a.warnings ?? []), ...(a.failures ?? [])]) out.push(`${a.method}: ${note}`);
      if (a.order?.note) out.push(`${a.method}: ${a.order.note}`);
    }
    const first = result.audits.find((a) => a.horizon);
    const sentence = horizon(first?.horizon, first?.truth);
    if (sentence) out.push(sentence);
  } else {
    for (const m of result.methods) if (m.summary?.message) out.push(`${m.method}: ${m.summary.message}`);
    const sentence = horizon(result.horizon, result.truth);
    if (sentence) out.push(sentence);
    if (result.note) out.push(result.note);
  }
  return out;
}
