// Energy over time of several methods: one plot each on a common scale, or all in one.

import uPlot from 'uplot';
import { padded } from './chart';
import { doubles } from './data';
import { h } from './dom';
import { timePlot } from './time_plot';

export interface Trace {
  name: string;
  t: Float64Array;
  y: Float64Array;
}

// From the smallest to the largest value of all.
export function commonRange(traces: Trace[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const { y } of traces) for (const v of y) if (Number.isFinite(v)) [low, high] = [Math.min(low, v), Math.max(high, v)];
  return padded(null, low, high);
}

// All curves over the union of their times, null where a curve has no point.
export function together(traces: Trace[]): { t: number[]; curves: { name: string; y: (number | null | undefined)[] }[] } {
  const [t, ...curves] = uPlot.join(traces.map(({ t, y }) => [t, y] as unknown as uPlot.AlignedData));
  return { t: [...t], curves: curves.map((y, k) => ({ name: traces[k].name, y: [...y] })) };
}

export function energyTraces(list: { name: string; t: string; energy: string }[], label: string, deviation: (y: Float64Array) => Float64Array): HTMLElement {
  const traces: Trace[] = list.map((trace) => ({ name: trace.name, t: doubles(trace.t), y: deviation(doubles(trace.energy)) }));
  const range = commonRange(traces);
  const place = h('div', { class: 'grid' });
  const shared = h('input', { type: 'checkbox', checked: true, change: () => show() });
  const overlay = h('input', { type: 'checkbox', change: () => show() });
  const show = () => {
    shared.disabled = overlay.checked;
    if (overlay.checked) {
      const all = together(traces);
      return place.replaceChildren(timePlot({ title: 'All methods', note: '', y: label, t: all.t, curves: all.curves, range }));
    }
    place.replaceChildren(...traces.map(({ name, t, y }) =>
      timePlot({ title: name, note: '', y: label, t, curves: [{ name, y }], range: shared.checked ? range : undefined })));
  };
  show();
  return h('div', {}, traces.length > 1 && h('div', { class: 'controls' }, h('label', {}, shared, ' one scale'), h('label', {}, overlay, ' overlay')), place);
}
