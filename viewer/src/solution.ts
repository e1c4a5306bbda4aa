// What a design problem found: what each unknown became, the conditions, the iteration, multipliers and derivatives.

import type { SolutionData, Summary } from './data';
import { h, section } from './dom';
import { number } from './format';

export interface Table {
  title: string;
  head: string[];
  rows: string[][];
}

const entries = (named: Record<string, number | null> | undefined) => Object.entries(named ?? {});

export function solutionTables(s: SolutionData): Table[] {
  const continued = s.history.some((step) => step.share !== 1);
  const names = Object.keys(s.unknowns);
  const tables: Table[] = [
    ...controlTables(s),
    { title: 'What each unknown became', head: ['unknown', 'guess', 'solution'], rows: names.map((name) => [name, number(s.guess[name], 9), number(s.unknowns[name], 12)]) },
    { title: 'Conditions', head: ['condition', 'solver', 'the run shown here'], rows: entries(s.conditions).map(([name, r]) => [name, number(r, 3), number(s.verified[name], 3)]) },
    {
      title: 'Iterations',
      head: ['step', 'residual', 'damping', ...(continued ? ['share of the way'] : []), ...names],
      rows: s.history.map((step, k) => [String(k), number(step.residual, 3), number(step.damping), ...(continued ? [number(step.share)] : []), ...step.unknowns.map((x) => number(x, 9))]),
    },
  ];
  return tables.filter((table) => table.rows.length > 0); // an optimum has controls in place of unknowns
}

// Of an optimal control problem: what it costs, when it strikes, and what else was tried.
function controlTables(s: SolutionData): Table[] {
  const times = s.times;
  if (!times) return [];
  const last = times.length - 1;
  const rows = [
    ['cost', number(s.cost, 12)],
    ...times.map((t, k) => [k < last ? `time of impact ${k + 1}, ${s.impacts?.[k] ?? ''}` : 'end', number(t, 12)]),
    ['integrated again', s.mismatch == null ? 'another motion' : `differs by ${number(s.mismatch, 3)}`],
    ...entries(s.multipliers).map(([name, x]) => [`multiplier of ${name}`, number(x, 6)]),
  ];
  const tables: Table[] = [{ title: 'What was found', head: ['', 'value'], rows }];
  if (s.candidates) tables.push({ title: 'Sequences tried', head: ['impacts', 'cost'], rows: s.candidates.map((c) => [c.impacts, c.cost == null ? 'not solved' : number(c.cost, 9)]) });
  if (s.refinements && s.refinements.length > 1) tables.push({ title: 'Refinement', head: ['intervals', 'cost'], rows: s.refinements.map((r) => [String(r.intervals), number(r.cost, 12)]) });
  return tables;
}

export function multiplierTable(floquet: [number, number][]): Table {
  const size = ([re, im]: [number, number]) => Math.hypot(re, im);
  return {
    title: 'Multipliers of the orbit',
    head: ['multiplier', 'size'],
    rows: floquet.map((m) => [m[1] === 0 ? number(m[0], 9) : `${number(m[0], 9)} ${m[1] < 0 ? '−' : '+'} ${number(Math.abs(m[1]), 9)} i`, number(size(m), 6)]),
  };
}

export function sensitivityTable(s: Record<string, Record<string, number | null>>): Table {
  const outputs = Object.keys(s);
  return { title: 'Derivatives', head: ['by', ...outputs], rows: Object.keys(s[outputs[0]] ?? {}).map((name) => [name, ...outputs.map((output) => number(s[output][name], 6))]) };
}

const shown = ({ title, head, rows }: Table) =>
  h('div', {}, h('h3', {}, title),
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': title.toLowerCase() }, h('table', {},
      h('thead', {}, h('tr', {}, ...head.map((cell, k) => h('th', { scope: 'col', style: k === 0 ? 'text-align: start' : '' }, cell)))),
      h('tbody', {}, ...rows.map(([name, ...cells]) => h('tr', {}, h('th', { scope: 'row', dir: 'auto' }, name), ...cells.map((cell) => h('td', {}, cell))))))));

const verdicts: Record<string, string> = { solved: 'Solved', failed: 'Not solved', interrupted: 'Interrupted; this is the best iterate' };

// Nothing for a run that posed no problem.
export function design(s: Summary): HTMLElement[] {
  const tables: Table[] = [];
  if (s.solution) tables.push(...solutionTables(s.solution));
  if (s.floquet) tables.push(multiplierTable(s.floquet));
  if (s.quantities) tables.push({ title: 'Quantities', head: ['quantity', 'value'], rows: entries(s.quantities).map(([name, x]) => [name, number(x, 9)]) });
  if (s.sensitivities) tables.push(sensitivityTable(s.sensitivities));
  if (tables.length === 0) return [];
  const sentence = s.solution && `${verdicts[s.solution.status] ?? s.solution.status} in ${s.solution.iterations} steps, residual ${number(s.solution.residual, 3)}. ${s.solution.message}`;
  return [section('design', s.solution ? 'Solution' : 'Derivatives and quantities', sentence && h('p', {}, sentence), ...tables.map(shown))];
}
