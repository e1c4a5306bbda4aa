// The report of one run.

import { about } from './about';
import { contactBars } from './contact_bars';
import { doubles, type PlotData, type RunData } from './data';
import { h, section } from './dom';
import { count, number, plural } from './format';
import { header } from './header';
import { histogramPlot } from './histogram_plot';
import { ledger } from './ledger';
import { phasePlot } from './phase_plot';
import { fileName } from './save';
import { Player } from './player';
import { design } from './solution';
import { sectionPlot } from './section_plot';
import { stacked, withoutZeros } from './stack';
import { mostShown, timePlot } from './time_plot';
import { findings, type Finding } from './verdict';

const marks = { kept: '✓', partly: '≈', lost: '✗', plain: '' };

function card(f: Finding): HTMLElement {
  return h('li', { class: `finding ${f.tone}` },
    h('h3', { dir: 'auto' }, f.name),
    h('p', { class: 'result' }, marks[f.tone] && h('span', { 'aria-hidden': 'true' }, marks[f.tone] + ' '), f.result),
    h('p', { class: 'note' }, f.note));
}

function status(data: RunData): HTMLElement | null {
  const { status, message } = data.summary;
  if (status === 'completed') return null;
  return h('p', { class: 'banner', role: 'alert' }, h('strong', {}, `The run ${status === 'failed' ? 'failed' : 'was interrupted'}. `), message);
}

// Energy and momenta are drawn as deviations: the digits that are kept need no picture.
export function deviation(y: Float64Array, relative: boolean): Float64Array {
  const start = y[0];
  const scale = relative && start !== 0 ? Math.abs(start) : 1;
  return y.map((value) => (value - start) / scale);
}

// Whether the start is a measure for the changes: an energy that begins near zero is none.
export const comparable = (y: Float64Array) => y.every((value) => Math.abs(value - y[0]) <= Math.abs(y[0])) && y[0] !== 0;

function curves(plot: PlotData, t: Float64Array, player: Player): HTMLElement | null {
  const all = plot.curves.map((c) => ({ name: c.name, y: doubles(c.y) }));
  const note = plot.of > all.length ? `(the first ${all.length} of ${count(plot.of)})` : '';
  const link = { clock: player.clock, seek: (time: number) => player.seek(time) };
  const show = (title: string, y: string, list: { name: string; y: Float64Array; width?: number; fill?: boolean }[]) => timePlot({ title, note, y, t, curves: list }, link);
  if (plot.key === 'energy') {
    const relative = comparable(all[0].y);
    return show('Energy', relative ? '(H − H₀) / |H₀|' : 'H − H₀', [{ name: 'energy', y: deviation(all[0].y, relative) }]);
  }
  // The change is a broad line under the thin one of its causes: where the balance closes both are seen.
  if (plot.key === 'balance' && withoutZeros(all).length < 2) return null; // no cause: the energy is shown already
  if (plot.key === 'balance') return show('Energy balance', 'change of energy', withoutZeros(all).map((c, k) => ({ ...c, width: k === 0 ? 5 : undefined })));
  // One upon the other: the upper edge is the energy.
  if (plot.key === 'energies') return show('Energies, stacked', 'energy', stacked(all));
  if (plot.key === 'contact_force') return show(all.length === 1 ? `Contact force: ${all[0].name}` : 'Contact forces', 'force', all);
  if (plot.key === 'forces') return show(all.length === 1 ? `Contact force: ${all[0].name.slice(6)}` : 'Contact forces', 'force', all);
  if (plot.key === 'momenta') {
    const title = all.length === 1 ? `Momentum map: ${all[0].name}` : 'Momentum maps';
    return show(title, 'deviation J − J₀', all.map((c) => ({ name: c.name, y: deviation(c.y, false) })));
  }
  if (plot.key === 'controls' || plot.key === 'costates') return show(plot.title, plot.key === 'controls' ? 'u' : '∂J', all.map((c) => ({ ...c, name: c.name.slice(8) })));
  if (plot.key === 'gaps') return show(all.length === 1 ? `Gap: ${all[0].name}` : 'Gaps', 'gap g', all);
  return show(all.length === 1 ? `Coordinate ${all[0].name}` : 'Coordinates', all.length === 1 ? all[0].name : 'q', all);
}

export function runPage(data: RunData): HTMLElement[] {
  const s = data.summary;
  const t = doubles(data.t);
  const subtitle = [[s.method, s.discretization].filter(Boolean).join(', '), `step ${number(s.step)}`, plural(s.steps, 'step'),
    `t = ${number(s.time.start)} to ${number(s.time.end)}`].join(' · ');
  const player = new Player(data);
  const thinned = data.records > t.length;
  const facts: [string, string][] = [
    ['reference', data.scenario.reference || '–'],
    ['method', s.method],
    ['discretization', s.discretization || '–'],
    ['records', count(data.records)],
    ['computing time', s.wall_seconds === null ? '–' : `${number(s.wall_seconds, 3)} s`],
    ['state hash', s.state_hash || '–'],
    ['program', `Ricochet ${data.version}`],
  ];
  const impacts = data.impacts;
  return [
    header(data.scenario.title, subtitle),
    ...[status(data)].filter((e): e is HTMLElement => e !== null),
    section('motion', 'Motion', player.element),
    section('verdict', 'What was kept', h('ul', { class: 'findings' }, ...findings(data).map(card))),
    ...design(s),
    section('plots', 'Over time',
      h('p', { class: 'hint' }, 'A click sets the time of the player; dragging zooms, a double click shows all again.' +
        (thinned || t.length > mostShown ? ` Of ${count(data.records)} records the smallest and largest values are drawn, so that no peak is lost; zooming in shows more of them${thinned ? `, down to one in ${count(Math.ceil((2 * data.records) / t.length))}` : ''}.` : '')),
      h('div', { class: 'grid' },
        data.lasting && contactBars(data.lasting, s.time.start, s.time.end, { clock: player.clock, seek: (time) => player.seek(time) }),
        ...data.plots.map((plot) => curves(plot, t, player)),
        data.phase.length > 0 && phasePlot(data.phase, data.coordinates, player.clock))),
    ...(data.sections?.length
      ? [section('sections', 'Sections',
          h('p', { class: 'hint' }, 'Points of the run at impacts, or where a formula passes zero. The mark is the point that the player passed last; a click sets its time, dragging zooms.'),
          h('div', { class: 'grid sections' }, ...data.sections.map((s) => sectionPlot(s, { clock: player.clock, seek: (time) => player.seek(time) }))))]
      : []),
    ...(impacts.lines > 0
      ? [section('impacts', data.continuum || data.mesh ? 'Episodes of contact' : data.lasting ? 'Impacts and lasting contact' : 'Impacts',
          !data.continuum && !data.mesh && s.impacts > 0 && h('div', { class: 'grid' },
            histogramPlot('When in the step', 'alpha, part of the step', impacts.alpha),
            histogramPlot('Time between impacts', 'interval of time', impacts.interval)),
          ledger(impacts, (time) => {
            player.seek(time);
            player.element.scrollIntoView({ behavior: 'smooth', block: 'start' });
          }, `${fileName(data.scenario.title)}-ledger`))]
      : []),
    about(data.scenario, data.version, facts),
  ];
}
