// uPlot with the looks of the page: labelled axes, colours of the theme, the width of its place.

import uPlot from 'uplot';
import { h } from './dom';
import { logTicks, ticks } from './format';
import { axisLines, logLines } from './grid';
import { css, onTheme } from './theme';

export interface ChartOptions {
  title: string;
  note?: string;
  x: string;
  y: string;
  height?: number;
}

const font = '12px system-ui, sans-serif';

export function axis(label: string, vertical: boolean, logarithmic = false): uPlot.Axis {
  return {
    label,
    labelSize: 18,
    labelFont: font,
    font,
    size: vertical ? (_, values) => Math.max(36, 16 + 8.2 * Math.max(0, ...(values ?? []).map((v) => v?.length ?? 0))) : 34,
    gap: 4,
    stroke: () => css('--muted'),
    grid: { stroke: () => css('--grid'), width: 1 },
    ticks: { stroke: () => css('--grid'), width: 1, size: 5 },
    // uPlot's own can loop for ever where a logarithmic scale does not begin at a round number
    ...(logarithmic
      ? { splits: (_: uPlot, __: number, min: number, max: number) => logLines(min, max), filter: (_: uPlot, lines: number[]) => lines }
      : { splits: (_: uPlot, __: number, min: number, max: number, step: number) => axisLines(min, max, step) }),
    values: (_, values) => (logarithmic ? logTicks(values) : ticks(values)),
  };
}

// A flat curve needs room, a curve of rounding errors must not look like a wall.
export function padded(_: unknown, min: number | null, max: number | null): [number, number] {
  if (min === null || max === null || !Number.isFinite(min + max)) return [0, 1];
  const room = max > min ? 0.06 * (max - min) : Math.abs(max) * 0.1 || 1;
  return [min - room, max + room];
}

// Areas are read from zero.
export function grounded(_: unknown, min: number | null, max: number | null): [number, number] {
  const [low, high] = padded(_, min, max);
  return [(min ?? 0) >= 0 ? 0 : low, (max ?? 1) <= 0 ? 0 : high];
}

export interface Chart {
  element: HTMLElement;
  plot: uPlot;
}

export function chart(options: ChartOptions, plot: Omit<uPlot.Options, 'width' | 'height'>, data: uPlot.AlignedData): Chart {
  const place = h('div', { class: 'plot' });
  const element = h('figure', {}, h('figcaption', {}, options.title, options.note ? h('small', {}, ` ${options.note}`) : null), place);
  const height = options.height ?? 240;
  const made = new uPlot(
    { ...plot, width: 400, height, axes: plot.axes ?? [axis(options.x, false), axis(options.y, true)] },
    data,
    place,
  );
  new ResizeObserver(() => {
    const width = place.clientWidth;
    if (width > 0 && width !== made.width) made.setSize({ width, height });
  }).observe(place);
  onTheme(() => made.redraw(false));
  return { element, plot: made };
}
