// The smallest gap over a plane, on a grid of cell centres (docs/report.md: landscape), and where it is negative.

import { floats, type LandscapeData } from './data';

export class Landscape {
  private gap: Float32Array;

  constructor(readonly data: LandscapeData) {
    this.gap = floats(data.gap);
  }

  get shaded() {
    return this.data.columns > 0;
  }

  // Linear between the centres of cells, constant beyond them. NaN where the gap has no value.
  at(x: number, y: number): number {
    const { columns, rows, from, to } = this.data;
    const place = (v: number, k: number, n: number) => Math.min(n - 1, Math.max(0, ((v - from[k]) / (to[k] - from[k])) * n - 0.5));
    const [u, v] = [place(x, 0, columns), place(y, 1, rows)];
    const [i, j] = [Math.min(columns - 2, Math.floor(u)), Math.min(rows - 2, Math.floor(v))];
    const g = (a: number, b: number) => this.gap[(j + b) * columns + i + a];
    const [s, r] = [u - i, v - j];
    return (1 - r) * ((1 - s) * g(0, 0) + s * g(1, 0)) + r * ((1 - s) * g(0, 1) + s * g(1, 1));
  }
}
