// Counts of impacts as steps.

import uPlot from 'uplot';
import { axis, chart } from './chart';
import type { HistogramData } from './data';
import { palette } from './theme';

const wholeSteps = [...Array(12).keys()].flatMap((power) => [1, 2, 5].map((lead) => lead * 10 ** power));

export function histogramPlot(title: string, x: string, data: HistogramData): HTMLElement | null {
  if (!data.edges?.length || !data.counts?.length) return null;
  const { edges, counts, logarithmic } = data;
  const highest = Math.max(...counts, 1);
  const { element } = chart(
    { title, x, y: 'impacts', height: 200 },
    {
      scales: {
        x: { time: false, distr: logarithmic ? 3 : 1, range: () => [edges[0], edges[edges.length - 1]] },
        y: { range: () => [0, highest * 1.08] },
      },
      axes: [axis(logarithmic ? `${x}, logarithmic` : x, false, logarithmic), { ...axis('impacts', true), incrs: wholeSteps }],
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      series: [
        {},
        {
          stroke: () => palette(0),
          fill: () => palette(0) + '55',
          width: 1.25,
          points: { show: false },
          paths: uPlot.paths.stepped!({ align: 1 }),
        },
      ],
    },
    [edges, [...counts, counts[counts.length - 1]]],
  );
  return element;
}
