// The points of a section: two of its quantities, or one over itself at the point before (a return map). A mark shows the
// point that the player has passed last, a click takes the player to the nearest one.

import uPlot from 'uplot';
import { axis, chart, padded } from './chart';
import type { Clock } from './clock';
import { doubles, type SectionData } from './data';
import { h } from './dom';
import { indexAt } from './film';
import { count } from './format';
import { palette } from './theme';

export interface Axis {
  name: string;
  values: Float64Array;
}

// What an axis can show: each quantity, and each at the next point; the last point has none.
export function axes(names: string[], values: Float64Array[]): Axis[] {
  const next = (v: Float64Array) => Float64Array.from(v, (_, k) => (k + 1 < v.length ? v[k + 1] : NaN));
  return [...names.map((name, k) => ({ name, values: values[k] })), ...names.map((name, k) => ({ name: `next ${name}`, values: next(values[k]) }))];
}

export const bounds = (values: ArrayLike<number>): [number, number] => {
  let [low, high] = [Infinity, -Infinity];
  for (let k = 0; k < values.length; k++) if (Number.isFinite(values[k])) [low, high] = [Math.min(low, values[k]), Math.max(high, values[k])];
  return padded(null, low, high);
};

export function sectionPlot(data: SectionData, link: { clock: Clock; seek: (t: number) => void }): HTMLElement {
  const t = doubles(data.t);
  const all = axes(data.quantities, data.values.map(doubles));
  const kind = data.at_impacts ? 'Bounce map' : 'Poincaré section';
  const note = t.length < data.count ? `(${count(t.length)} of ${count(data.count)} points, evenly chosen)` : `(${data.count === 1 ? '1 point' : `${count(data.count)} points`})`;
  const place = h('div', { 'data-section': data.name });
  const choice = (label: string, at: number) => {
    const select = h('select', { 'aria-label': label, change: () => draw() }, ...all.map((a) => h('option', {}, a.name)));
    select.selectedIndex = at;
    return select;
  };
  const one = data.quantities.length === 1;
  const [across, up] = [choice('across', 0), choice('upwards', 1)]; // of one quantity: over itself, a return map
  let shown: { x: Axis; y: Axis; plot: uPlot; dot: HTMLElement } | undefined;

  const follow = () => {
    if (!shown || !t.length) return;
    const i = indexAt(t, link.clock.time);
    const [x, y] = [shown.x.values[i], shown.y.values[i]];
    const visible = t[i] <= link.clock.time && Number.isFinite(x + y);
    shown.dot.style.visibility = visible ? 'visible' : 'hidden';
    if (visible) shown.dot.style.transform = `translate(${shown.plot.valToPos(x, 'x')}px, ${shown.plot.valToPos(y, 'y')}px)`;
  };

  const draw = () => {
    const [x, y] = [all[across.selectedIndex], all[up.selectedIndex]];
    const { element, plot } = chart(
      { title: `${kind}: ${data.name}`, note, x: x.name, y: y.name, height: 340 },
      {
        mode: 2,
        legend: { show: false },
        cursor: { drag: { x: true, y: true, uni: 20 } },
        scales: { x: { time: false, range: () => bounds(x.values) }, y: { range: () => bounds(y.values) } },
        axes: [axis(x.name, false), axis(y.name, true)],
        series: [{}, { stroke: () => palette(0), paths: (u: uPlot) => (points(u, x.values, y.values), null) }],
      },
      [null, [x.values, y.values]] as unknown as uPlot.AlignedData,
    );
    const dot = h('div', { class: 'dot' });
    plot.over.append(dot);
    plot.hooks.draw = [follow];
    let down: [number, number] = [0, 0];
    plot.over.addEventListener('mousedown', (event) => (down = [event.clientX, event.clientY]));
    plot.over.addEventListener('click', (event) => {
      if (Math.hypot(event.clientX - down[0], event.clientY - down[1]) >= 4) return;
      const box = plot.over.getBoundingClientRect();
      const k = nearest((i) => [plot.valToPos(x.values[i], 'x'), plot.valToPos(y.values[i], 'y')], t.length, event.clientX - box.left, event.clientY - box.top);
      if (k >= 0) link.seek(t[k]);
    });
    shown = { x, y, plot, dot };
    place.replaceChildren(element);
    if (!one || all.length > 2) element.querySelector('figcaption')!.append(' ', h('span', { class: 'axes' }, across, ' and ', up));
    follow();
  };
  draw();
  link.clock.listen(follow);
  return place;
}

// The number of the point nearest to a place on the screen; −1 if there is none.
export function nearest(at: (k: number) => [number, number], length: number, x: number, y: number): number {
  let [best, least] = [-1, Infinity];
  for (let k = 0; k < length; k++) {
    const [a, b] = at(k);
    const d = Math.hypot(a - x, b - y);
    if (d < least) [best, least] = [k, d];
  }
  return best;
}

function points(u: uPlot, x: Float64Array, y: Float64Array) {
  const c = u.ctx;
  const { left, top, width, height } = u.bbox;
  c.save();
  c.beginPath();
  c.rect(left, top, width, height);
  c.clip();
  c.fillStyle = palette(0);
  const size = (x.length > 3000 ? 1.3 : x.length > 300 ? 2.4 : 4) * devicePixelRatio;
  c.beginPath();
  for (let k = 0; k < x.length; k++) {
    if (!Number.isFinite(x[k] + y[k])) continue;
    c.rect(u.valToPos(x[k], 'x', true) - size / 2, u.valToPos(y[k], 'y', true) - size / 2, size, size);
  }
  c.fill();
  c.restore();
}
