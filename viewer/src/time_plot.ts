// Curves over time, linked with the player: a line marks its time, a click sets it, dragging zooms, all at once.

import uPlot from 'uplot';
import type { Clock } from './clock';
import { chart, grounded, padded } from './chart';
import { detail } from './detail';
import { h } from './dom';
import { number } from './format';
import { palette } from './theme';

export const mostShown = 4001; // points of a curve at once

export interface TimePlot {
  title: string;
  note: string;
  y: string;
  t: ArrayLike<number>;
  curves: { name: string; y: ArrayLike<number | null | undefined>; width?: number; fill?: boolean }[];
  range?: [number, number]; // of y; else that of the curves
}

export function timePlot(options: TimePlot, link?: { clock: Clock; seek: (t: number) => void }): HTMLElement {
  const many = options.curves.length > 1;
  const whole = { t: options.t, ys: options.curves.map((curve) => curve.y) };
  const points = (from: number, to: number) => {
    const { t, ys } = detail(whole, from, to, mostShown);
    return [t, ...ys] as unknown as uPlot.AlignedData;
  };
  const { element, plot } = chart(
    { title: options.title, note: options.note, x: 'time t', y: options.y },
    {
      scales: { x: { time: false }, y: { range: options.range ? () => options.range! : options.curves.some((curve) => curve.fill) ? grounded : padded } },
      legend: { show: many },
      // each area ends at the next curve: their colours are those of the legend
      bands: options.curves.slice(1).flatMap((curve, k) => (curve.fill ? [{ series: [k + 1, k + 2] as [number, number] }] : [])),
      cursor: { sync: { key: 'time', setSeries: false }, drag: { x: true, y: false } },
      series: [
        { label: 't', value: (_, v) => number(v, 6) },
        ...options.curves.map((curve, k) => ({
          label: curve.name,
          stroke: () => palette(k),
          width: curve.width ?? 1.25,
          fill: curve.fill ? () => palette(k) + '55' : undefined,
          dash: k >= 8 ? [6, 3] : undefined,
          spanGaps: true,
          points: { show: options.t.length < 40 },
          value: (_: uPlot, v: number) => number(v, 5),
        })),
      ],
    },
    points(-Infinity, Infinity),
  );
  if (options.range) element.dataset.range = options.range.join(' ');
  if (options.t.length > mostShown) refine(plot, element, points);
  if (link) linkToClock(plot, link.clock, link.seek);
  return element;
}

// More points where one zooms in. data-spacing says how far apart they are.
function refine(plot: uPlot, element: HTMLElement, points: (from: number, to: number) => uPlot.AlignedData) {
  let shown = '';
  const look = () => {
    const { min, max } = plot.scales.x;
    if (min === null || max === null || min === undefined || max === undefined || shown === `${min} ${max}`) return;
    shown = `${min} ${max}`;
    const data = points(min, max);
    const inside = (data[0] as number[]).filter((t) => t >= min && t <= max).length;
    element.dataset.spacing = String((max - min) / Math.max(1, inside - 1));
    plot.batch(() => {
      plot.setData(data, false);
      plot.setScale('x', { min, max });
    });
  };
  plot.hooks.setScale = [...(plot.hooks.setScale ?? []), (_: uPlot, key: string) => void (key === 'x' && queueMicrotask(look))];
  look();
}

export function linkToClock(plot: uPlot, clock: Clock, seek: (t: number) => void) {
  const marker = h('div', { class: 'marker' });
  plot.over.append(marker);
  const show = () => {
    const x = plot.valToPos(clock.time, 'x');
    marker.style.transform = `translateX(${x}px)`;
    marker.style.visibility = x >= 0 && x <= plot.over.clientWidth ? 'visible' : 'hidden';
  };
  clock.listen(show);
  plot.hooks.draw = [...(plot.hooks.draw ?? []), show];
  let down = 0;
  plot.over.addEventListener('mousedown', (event) => (down = event.clientX));
  plot.over.addEventListener('click', (event) => {
    if (Math.abs(event.clientX - down) < 4) seek(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x'));
  });
  show();
}
