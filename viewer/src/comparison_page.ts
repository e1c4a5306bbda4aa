// The report of a comparison or an audit: methods side by side.

import { about } from './about';
import { axis, chart } from './chart';
import { doubles, type AuditResult, type ComparisonData } from './data';
import { h, section } from './dom';
import { energyTraces } from './energy_traces';
import { count, number } from './format';
import { header } from './header';
import { comparable, deviation } from './run_page';
import { auditRows, compareRows, remarks, type Row } from './side_by_side';
import { slopeGuides } from './slope_guides';
import { css, palette } from './theme';

function table(names: string[], rows: Row[]): HTMLElement {
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'methods side by side' },
    h('table', { class: 'methods' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'row' }, ''), ...names.map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, ...rows.map((row) => h('tr', {}, h('th', { scope: 'row' }, row.name), ...row.cells.map((cell) => h('td', {}, cell)))))));
}

// Of the errors alone: a steep guide leaves the plot below.
function errorRange(errors: (number | null)[][]): [number, number] {
  const all = errors.flat().filter((e): e is number => e !== null && e > 0);
  return [Math.min(...all) / 2, Math.max(...all) * 2];
}

function orders({ audits }: AuditResult): HTMLElement | null {
  const measured = audits.filter((a) => a.order?.points.some((p) => p.error !== null && p.error > 0));
  if (!measured.length) return null;
  const steps = [...new Set(measured.flatMap((a) => a.order!.points.map((p) => p.step)))].sort((a, b) => a - b);
  const curve = (a: AuditResult['audits'][0]) => {
    const errors = new Map(a.order!.points.map((p) => [p.step, p.error]));
    return steps.map((step) => (errors.get(step) ?? 0) > 0 ? errors.get(step)! : null);
  };
  const errors = measured.map(curve);
  const guides = slopeGuides(steps, errors, measured.map((a) => a.order!.value));
  return chart({ title: 'Error over step', note: '(dotted: slopes to read the order from)', x: 'step h', y: 'error', height: 340 },
    {
      scales: { x: { time: false, distr: 3 }, y: { distr: 3, range: () => errorRange(errors) } },
      axes: [axis('step h', false, true), axis('error', true, true)],
      legend: { show: true, live: false },
      series: [{ label: 'h' }, ...measured.map((a, k) => ({
        label: a.order!.value === null ? a.method : `${a.method}: order ${number(a.order!.value, 3)}`,
        stroke: () => palette(k),
        width: 1.5,
        points: { show: true, size: 6 },
        spanGaps: true,
      })), ...guides.map(({ slope }) => ({
        label: `slope ${slope}`,
        stroke: () => css('--muted'),
        width: 1,
        dash: [2, 4],
        points: { show: false },
      }))],
    },
    [steps, ...errors, ...guides.map(({ y }) => y)]).element;
}

export function comparisonPage(data: ComparisonData): HTMLElement[] {
  const audit = data.kind === 'audit';
  const names = (data.kind === 'audit' ? data.result.audits : data.result.methods).map((m) => m.method);
  const order = data.kind === 'audit' ? orders(data.result) : null;
  const traces = data.traces.filter((trace) => trace.t);
  const relative = traces.every((trace) => comparable(doubles(trace.energy))); // one unit for all
  return [
    header(data.scenario.title, `${audit ? 'Audit' : 'Comparison'} of ${names.join(', ')}`),
    section('methods', 'Methods side by side',
      table(names, data.kind === 'audit' ? auditRows(data.result) : compareRows(data.result)),
      ...remarks(data.result).map((remark) => h('p', { class: 'hint' }, remark))),
    ...(order ? [section('order', 'Order of accuracy', order)] : []),
    ...(traces.length ? [section('plots', 'Energy over time',
      h('p', { class: 'hint' }, `The first ${count(data.traced_steps)} steps at most.`),
      energyTraces(traces, relative ? '(H − H₀) / |H₀|' : 'H − H₀', (y) => deviation(y, relative)))] : []),
    about(data.scenario, data.version, [['reference', data.scenario.reference || '–'], ['program', `Ricochet ${data.version}`]]),
  ];
}
