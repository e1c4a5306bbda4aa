// Lasting contact as bars over time, a row for each contact: broad where it sticks or is closed without friction, thin
// where it slides. Linked with the player and the other plots.

import type uPlot from 'uplot';
import { axis, chart } from './chart';
import type { Clock } from './clock';
import { doubles, type LastingData } from './data';
import { h } from './dom';
import { count } from './format';
import { onTheme, palette } from './theme';
import { linkToClock } from './time_plot';

export interface Bar {
  row: number;
  mode: string;
  from: number;
  to: number;
}

const looks: Record<string, { title: string; color: number; height: number }> = {
  rest: { title: 'closed, no friction', color: 6, height: 0.7 },
  stick: { title: 'sticks', color: 0, height: 0.7 },
  slide: { title: 'slides', color: 1, height: 0.35 },
};

export const mostRows = 16;

// Rows are the contacts that have bars, in the order of the scenario; the first mostRows of them.
export function barsByRow(data: LastingData): { rows: string[]; all: number; bars: Bar[] } {
  const [contact, from, to] = [doubles(data.contact), doubles(data.from), doubles(data.to)];
  const used = [...new Set(contact)].sort((a, b) => a - b);
  const shown = used.slice(0, mostRows);
  const bars = [...contact].map((c, k) => ({ row: shown.indexOf(c), mode: data.modes[k], from: from[k], to: to[k] }));
  return { rows: shown.map((c) => data.names[c]), all: used.length, bars: bars.filter((bar) => bar.row >= 0) };
}

const short = (name: string) => (name.length > 14 ? name.slice(0, 13) + '…' : name);

export function contactBars(data: LastingData, start: number, end: number, link: { clock: Clock; seek: (t: number) => void }): HTMLElement {
  const { rows, all, bars } = barsByRow(data);
  const notes = [all > rows.length && `the first ${rows.length} of ${count(all)} contacts`, data.count > data.modes.length && `the first ${count(data.modes.length)} of ${count(data.count)} bars`].filter(Boolean);
  const draw = (plot: uPlot) => {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const bar of bars) {
      const { color, height } = looks[bar.mode];
      const [left, right] = [bar.from, bar.to].map((t) => plot.valToPos(t, 'x', true));
      const [top, bottom] = [-1, 1].map((side) => plot.valToPos(bar.row + 0.5 + (side * height) / 2, 'y', true));
      ctx.fillStyle = palette(color);
      ctx.fillRect(left, top, Math.max(1, right - left), bottom - top);
    }
    ctx.restore();
  };
  const lines = rows.map((_, k) => k + 0.5);
  const { element, plot } = chart(
    { title: 'Lasting contact', note: notes.length ? `(${notes.join(', ')})` : '', x: 'time t', y: '', height: 84 + 26 * rows.length },
    {
      scales: { x: { time: false }, y: { dir: -1, range: () => [0, rows.length] } },
      axes: [axis('time t', false), {
        ...axis('', true), labelSize: 0, label: undefined, size: 16 + 7.4 * Math.max(...rows.map((name) => short(name).length)),
        splits: () => lines, values: () => rows.map(short), grid: { show: false }, ticks: { show: false },
      }],
      legend: { show: false },
      cursor: { sync: { key: 'time', setSeries: false }, drag: { x: true, y: false } },
      series: [{}, { points: { show: false } }],
      hooks: { draw: [draw] },
    },
    [[start, end], [null, null]],
  );
  linkToClock(plot, link.clock, link.seek);
  const modes = Object.keys(looks).filter((mode) => bars.some((bar) => bar.mode === mode));
  const legend = h('p', { class: 'modes' }, ...modes.map((mode) => {
    const { title, color, height } = looks[mode];
    const swatch = h('i', { 'aria-hidden': 'true' });
    const paint = () => swatch.setAttribute('style', `background:${palette(color)};height:${height}em`);
    paint();
    onTheme(paint);
    return h('span', {}, swatch, title);
  }));
  element.append(legend);
  element.dataset.bars = String(bars.length);
  return element;
}
