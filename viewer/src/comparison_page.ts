// The report of a comparison or an audit: methods side by side.

import { about } from './about';
import { axis, chart } from './chart';
import { doubles, type AuditResult, type ComparisonData } from './data';
import { h, section } from './dom';
import { count, number } from './format';
import { header } from './header';
import { deviation } from './run_page';
import { auditRows, compareRows, remarks, type Row } from './side_by_side';
import { palette } from './theme';
import { timePlot } from './time_plot';

function table(names: string[], rows: Row[]): HTMLElement {
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'methods side by side' },
    h('table', { class: 'methods' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'row' }, ''), ...names.map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, ...rows.map((row) => h('tr', {}, h('th', { scope: 'row' }, row.name), ...row.cells.map((cell) => h('td', {}, cell)))))));
}

function orders({ audits }: AuditResult): HTMLElement | null {
  const measured = audits.filter((a) => a.order?.points.some((p) => p.error !== null && p.error > 0));
  if (!measured.length) return null;
  const steps = [...new Set(measured.flatMap((a) => a.order!.points.map((p) => p.step)))].sort((a, b) => a - b);
  const curve = (a: AuditResult['audits'][0]) => {
    const errors = new Map(a.order!.points.map((p) => [p.step, p.error]));
    return steps.map((step) => (errors.get(step) ?? 0) > 0 ? errors.get(step)! : null);
  };
  return chart({ title: 'Error over step', x: 'step h', y: 'error', height: 340 },
    {
      scales: { x: { time: false, distr: 3 }, y: { distr: 3 } },
      axes: [axis('step h', false, true), axis('error', true, true)],
      legend: { show: true, live: false },
      series: [{ label: 'h' }, ...measured.map((a, k) => ({
        label: a.order!.value === null ? a.method : `${a.method}: order ${number(a.order!.value, 3)}`,
        stroke: () => palette(k),
        width: 1.5,
        points: { show: true, size: 6 },
        spanGaps: true,
      }))],
    },
    [steps, ...measured.map(curve)]).element;
}

export function comparisonPage(data: ComparisonData): HTMLElement[] {
  const audit = data.kind === 'audit';
  const names = (data.kind === 'audit' ? data.result.audits : data.result.methods).map((m) => m.method);
  const order = data.kind === 'audit' ? orders(data.result) : null;
  const energies = data.traces.filter((trace) => trace.t).map((trace) => {
    const y = doubles(trace.energy);
    const relative = y[0] !== 0;
    return timePlot({ title: trace.name, note: '', y: relative ? '(H − H₀) / |H₀|' : 'H − H₀', t: doubles(trace.t), curves: [{ name: trace.name, y: deviation(y, relative) }] });
  });
  return [
    header(data.scenario.title, `${audit ? 'Audit' : 'Comparison'} of ${names.join(', ')}`),
    section('methods', 'Methods side by side',
      table(names, data.kind === 'audit' ? auditRows(data.result) : compareRows(data.result)),
      ...remarks(data.result).map((remark) => h('p', { class: 'hint' }, remark))),
    ...(order ? [section('order', 'Order of accuracy', order)] : []),
    ...(energies.length ? [section('plots', 'Energy over time',
      h('p', { class: 'hint' }, `The first ${count(data.traced_steps)} steps at most.`),
      h('div', { class: 'grid' }, ...energies))] : []),
    about(data.scenario, data.version, [['reference', data.scenario.reference || '–'], ['program', `Ricochet ${data.version}`]]),
  ];
}
