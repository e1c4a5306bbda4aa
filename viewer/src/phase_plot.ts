// Phase portraits: velocity over position, one coordinate at a time, with a dot where the player is. Thinned orbits are
// drawn as points: lines between distant records would show what never happened.

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

export function phasePlot(data: PhaseData[], coordinates: number, records: number, clock: Clock): HTMLElement {
  const orbits: Orbit[] = data.map((d) => ({ name: d.name, t: doubles(d.t), q: doubles(d.q), v: doubles(d.v) }));
  const place = h('div');
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
    const points = records > orbit.t.length;
    const { element, plot } = chart(
      { title: 'Phase portrait', note, x: orbit.name, y: `${orbit.name}′` },
      {
        mode: 2,
        legend: { show: false },
        cursor: { drag: { x: true, y: true } },
        scales: { x: { time: false, range: () => range(orbit.q) }, y: { range: () => range(orbit.v) } },
        axes: [axis(orbit.name, false), axis(`velocity ${orbit.name}′`, true)],
        series: [{}, { stroke: () => palette(0), paths: (u: uPlot) => (trace(u, orbit, points), null) }],
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

function trace(u: uPlot, orbit: Orbit, points: boolean) {
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
    if (points) c.rect(x, y, 1.5 * devicePixelRatio, 1.5 * devicePixelRatio);
    else i ? c.lineTo(x, y) : c.moveTo(x, y);
  }
  points ? c.fill() : c.stroke();
  c.restore();
}
