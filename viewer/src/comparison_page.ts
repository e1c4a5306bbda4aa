// The report of a comparison or an audit: methods side by side.

import { about } from './about';
import { axis, chart } from './chart';
import { doubles, type ComparisonData, type MethodData } from './data';
import { h, section } from './dom';
import { count, number } from './format';
import { header } from './header';
import { deviation } from './run_page';
import { palette } from './theme';
import { timePlot } from './time_plot';

type Row = [string, (m: MethodData) => string];

const summaryRows: Row[] = [
  ['status', (m) => m.summary?.status ?? '–'],
  ['impacts', (m) => (m.summary ? count(m.summary.impacts) : '–')],
  ['energy, relative range', (m) => number(m.summary?.energy.relative_range, 3)],
  ['energy drift per time', (m) => number(m.summary?.energy.drift_per_time, 3)],
  ['smallest gap', (m) => number(m.summary?.gap_min, 3)],
  ['computing time, s', (m) => number(m.summary?.wall_seconds, 3)],
];

function rows(methods: MethodData[]): Row[] {
  const out: Row[] = methods.some((m) => m.summary) ? [...summaryRows] : [];
  const momenta = new Set(methods.flatMap((m) => Object.keys(m.summary?.momentum ?? {})));
  for (const name of momenta) out.push([`${name}, largest deviation`, (m) => number(m.summary?.momentum[name]?.max_deviation, 3)]);
  if (methods.some((m) => m.order)) {
    out.push(['order, measured', (m) => number(m.order?.measured, 3)]);
    out.push(['order, promised', (m) => number(m.order?.promised, 3)]);
  }
  for (const name of new Set(methods.flatMap((m) => (m.facts ?? []).map(([key]) => key))))
    out.push([name, (m) => m.facts?.find(([key]) => key === name)?.[1] ?? '–']);
  return out;
}

function table(methods: MethodData[]): HTMLElement {
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'methods side by side' },
    h('table', {},
      h('thead', {}, h('tr', {}, h('th', {}, ''), ...methods.map((m) => h('th', { scope: 'col' }, m.name)))),
      h('tbody', {}, ...rows(methods).map(([name, cell]) =>
        h('tr', {}, h('th', { scope: 'row' }, name), ...methods.map((m) => h('td', {}, cell(m))))))));
}

// All curves over the union of their times; where a method has no point its curve goes straight on.
function energies(methods: MethodData[]): HTMLElement[] {
  return methods.filter((m) => m.t && m.energy).map((m) => {
    const y = doubles(m.energy!);
    const relative = y[0] !== 0;
    return timePlot({ title: m.name, note: '', y: relative ? '(H − H₀) / |H₀|' : 'H − H₀', t: doubles(m.t!), curves: [{ name: m.name, y: deviation(y, relative) }] });
  });
}

function orders(methods: MethodData[]): HTMLElement | null {
  const measured = methods.filter((m) => m.order && m.order.steps.length > 0);
  if (!measured.length) return null;
  const steps = [...new Set(measured.flatMap((m) => m.order!.steps))].sort((a, b) => a - b);
  const curve = (m: MethodData) => steps.map((step) => {
    const error = m.order!.errors[m.order!.steps.indexOf(step)];
    return error > 0 ? error : null;
  });
  return chart({ title: 'Error over step', x: 'step h', y: 'error', height: 320 },
    {
      scales: { x: { time: false, distr: 3 }, y: { distr: 3 } },
      axes: [axis('step h', false, true), axis('error', true, true)],
      legend: { show: true, live: false },
      series: [{ label: 'h' }, ...measured.map((m, k) => ({
        label: m.order!.measured === null ? m.name : `${m.name}: order ${number(m.order!.measured, 3)}`,
        stroke: () => palette(k),
        width: 1.5,
        points: { show: true, size: 7 },
        spanGaps: true,
      }))],
    },
    [steps, ...measured.map(curve)]).element;
}

export function comparisonPage(data: ComparisonData): HTMLElement[] {
  const order = orders(data.methods);
  const curves = energies(data.methods);
  return [
    header(data.scenario.title, `${data.kind === 'audit' ? 'Audit' : 'Comparison'} of ${data.methods.map((m) => m.name).join(', ')}`),
    section('methods', 'Methods side by side', table(data.methods)),
    ...(order ? [section('order', 'Order of accuracy', order)] : []),
    ...(curves.length ? [section('plots', 'Energy over time', h('div', { class: 'grid' }, ...curves))] : []),
    about(data.scenario, data.version, [['reference', data.scenario.reference || '–'], ['program', `Ricochet ${data.version}`]]),
  ];
}
