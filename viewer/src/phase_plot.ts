// Phase portraits: velocity over position, one coordinate at a time, with a dot where the player is. Thinned orbits are
// drawn as lines where the records on both sides tell the way between them (joins), else as points.

import uPlot from 'uplot';
import { axis, chart, padded } from './chart';
import type { Clock } from './clock';
import { doubles, type PhaseData } from './data';
import { h } from './dom';
import { indexAt } from './film';
import { palette } from './theme';

interface Orbit {
  name: string;
  t: Float64Array;
  q: Float64Array;
  v: Float64Array;
}

const range = (values: Float64Array) => {
  let [min, max] = [Infinity, -Infinity];
  for (const x of values) [min, max] = [Math.min(min, x), Math.max(max, x)];
  return padded(null, min, max);
};

export function phasePlot(data: PhaseData[], coordinates: number, clock: Clock): HTMLElement {
  const orbits: Orbit[] = data.map((d) => ({ name: d.name, t: doubles(d.t), q: doubles(d.q), v: doubles(d.v) }));
  const place = h('div', { class: 'phase' });
  const choice = h('select', { 'aria-label': 'coordinate', change: () => draw(choice.selectedIndex) },
    ...orbits.map((o) => h('option', {}, o.name)));
  const note = coordinates > orbits.length ? `(the first ${orbits.length} of ${coordinates} coordinates)` : '';
  let shown: { orbit: Orbit; plot: uPlot; dot: HTMLElement };

  const follow = () => {
    const { orbit, plot, dot } = shown;
    const i = indexAt(orbit.t, clock.time);
    dot.style.transform = `translate(${plot.valToPos(orbit.q[i], 'x')}px, ${plot.valToPos(orbit.v[i], 'y')}px)`;
  };

  const draw = (k: number) => {
    const orbit = orbits[k];
    const joined = joins(orbit);
    place.dataset.joined = String(joined.reduce((sum, one) => sum + one, 0));
    const { element, plot } = chart(
      { title: 'Phase portrait', note, x: orbit.name, y: `${orbit.name}′` },
      {
        mode: 2,
        legend: { show: false },
        cursor: { drag: { x: true, y: true } },
        scales: { x: { time: false, range: () => range(orbit.q) }, y: { range: () => range(orbit.v) } },
        axes: [axis(orbit.name, false), axis(`velocity ${orbit.name}′`, true)],
        series: [{}, { stroke: () => palette(0), paths: (u: uPlot) => (trace(u, orbit, joined), null) }],
      },
      [null, [orbit.q, orbit.v]] as unknown as uPlot.AlignedData,
    );
    const dot = h('div', { class: 'dot' });
    plot.over.append(dot);
    plot.hooks.draw = [follow];
    shown = { orbit, plot, dot };
    place.replaceChildren(element);
    if (orbits.length > 1) element.querySelector('figcaption')!.append(' ', choice);
    choice.selectedIndex = k;
    follow();
  };
  draw(0);
  clock.listen(() => follow());
  return place;
}

// Whether record i is joined with the one before. Where the motion is smooth, position is the integral of velocity: the trapezoidal rule then
// gives the way between two records, to a part of the extent of the portrait that a line on the screen does not show. It does not
// where too much time was left out, nor across an impact.
export function joins({ t, q, v }: { t: ArrayLike<number>; q: ArrayLike<number>; v: ArrayLike<number> }): Uint8Array {
  const out = new Uint8Array(q.length);
  let [low, high, least, most] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < q.length; i++) {
    [low, high] = [Math.min(low, q[i]), Math.max(high, q[i])];
    [least, most] = [Math.min(least, v[i]), Math.max(most, v[i])];
  }
  for (let i = 1; i < q.length; i++) {
    const missed = Math.abs(q[i] - q[i - 1] - ((t[i] - t[i - 1]) * (v[i] + v[i - 1])) / 2);
    out[i] = missed <= 0.01 * (high - low) && Math.abs(v[i] - v[i - 1]) <= 0.25 * (most - least) ? 1 : 0;
  }
  return out;
}

function trace(u: uPlot, orbit: Orbit, joined: Uint8Array) {
  const c = u.ctx;
  const { left, top, width, height } = u.bbox;
  c.save();
  c.beginPath();
  c.rect(left, top, width, height);
  c.clip();
  c.strokeStyle = c.fillStyle = palette(0);
  c.lineWidth = devicePixelRatio;
  c.beginPath();
  for (let i = 0; i < orbit.q.length; i++) {
    const x = u.valToPos(orbit.q[i], 'x', true);
    const y = u.valToPos(orbit.v[i], 'y', true);
    joined[i] ? c.lineTo(x, y) : c.moveTo(x, y);
  }
  c.stroke();
  c.beginPath();
  for (let i = 0; i < orbit.q.length; i++) {
    if (joined[i] || joined[i + 1]) continue; // a point that no line holds
    c.rect(u.valToPos(orbit.q[i], 'x', true), u.valToPos(orbit.v[i], 'y', true), 1.5 * devicePixelRatio, 1.5 * devicePixelRatio);
  }
  c.fill();
  c.restore();
}
