// Bodies on a line: above, where they are now, coloured by stress; below, the x–t diagram of the whole run with a line at
// the time of the player. A click in the diagram is the player's business: the picture only draws.

import { fitToPlace } from './canvas';
import { doubles, floats, type ContinuumData } from './data';
import { h } from './dom';
import { indexAt, type Film } from './film';
import { number, ticks } from './format';
import { gridLines } from './grid';
import type { Scene } from './scene';
import { css, onTheme } from './theme';

// Pressure blue, tension red, none the grey of a body: s from −1 to 1.
export function stressColour(s: number): [number, number, number] {
  const none = [214, 214, 214];
  const full = s < 0 ? [5, 60, 160] : [170, 20, 30];
  const part = Math.min(1, Math.abs(s));
  return [0, 1, 2].map((k) => Math.round(none[k] + part * (full[k] - none[k]))) as [number, number, number];
}

const left = 44; // room for the labels of time

export class BarScene implements Scene {
  readonly element: HTMLCanvasElement;
  readonly help = 'Above the bodies, below place and time: blue is pressure, red tension.';
  readonly canFollow = false;
  readonly follows = false;
  private context: CanvasRenderingContext2D;
  private t: Float64Array;
  private x: Float32Array;
  private stress: Float32Array;
  private nodes: number; // of a frame
  private cells: number;
  private low = Infinity;
  private high = -Infinity;
  private film!: Film;
  private frame = 0;
  private width = 0;
  private height = 0;

  constructor(private data: ContinuumData) {
    this.element = h('canvas', { role: 'img', 'aria-label': 'Bodies and their stress in place and time' });
    this.context = this.element.getContext('2d')!;
    this.t = doubles(data.t);
    this.x = floats(data.x);
    this.stress = floats(data.stress);
    this.cells = data.cells.reduce((a, b) => a + b, 0);
    this.nodes = this.cells + data.cells.length;
    for (const x of this.x) {
      this.low = Math.min(this.low, x);
      this.high = Math.max(this.high, x);
    }
    if (!(this.high > this.low)) this.high = this.low + 1;
    onTheme(() => this.draw(this.frame));
  }

  setFilm(film: Film) {
    this.film = film;
  }
  setFollow() {}
  fit() {
    this.draw(this.frame);
  }

  resize() {
    [this.width, this.height] = fitToPlace(this.context);
    this.draw(this.frame);
  }

  private across = (x: number) => left + ((x - this.low) / (this.high - this.low)) * (this.width - left - 16);

  // Edges are whole pixels: neighbours leave no seam.
  private row(frame: number, top: number, bottom: number) {
    let node = frame * this.nodes;
    let cell = frame * this.cells;
    for (const count of this.data.cells) {
      for (let i = 0; i < count; i++) {
        const [r, g, b] = stressColour(this.data.largest > 0 ? this.stress[cell + i] / this.data.largest : 0);
        const [from, to] = [Math.round(this.across(this.x[node + i])), Math.round(this.across(this.x[node + i + 1]))];
        this.context.fillStyle = `rgb(${r} ${g} ${b})`;
        this.context.fillRect(from, Math.round(top), to - from, Math.round(bottom) - Math.round(top));
      }
      node += count + 1;
      cell += count;
    }
  }

  // Where each body begins and ends, over time: bodies that touch can be told apart.
  private ends(frames: number[], height: (frame: number) => number) {
    this.context.beginPath();
    let node = 0;
    for (const count of this.data.cells) {
      for (const end of [node, node + count])
        frames.forEach((frame, k) => {
          const [x, y] = [this.across(this.x[frame * this.nodes + end]), height(k)];
          k === 0 ? this.context.moveTo(x, y) : this.context.lineTo(x, y);
        });
      node += count + 1;
    }
    this.context.stroke();
  }

  draw(frame: number) {
    this.frame = frame;
    if (!this.width || !this.film) return;
    const { context, width, height } = this;
    context.clearRect(0, 0, width, height);
    const i = Math.floor(frame);
    const times = this.film.times;
    const now = i + 1 < times.length ? times[i] + (frame - i) * (times[i + 1] - times[i]) : times[i];
    const shown = indexAt(this.t, now);
    context.lineWidth = 1;
    context.strokeStyle = '#444';
    this.row(shown, 24, 58);
    this.ends([shown, shown], (k) => (k === 0 ? 24 : 58));
    // the diagram: time upwards
    const [top, bottom] = [80, height - 44];
    const [start, end] = [this.t[0], this.t[this.t.length - 1]];
    const up = (t: number) => bottom - ((t - start) / (end - start || 1)) * (bottom - top);
    for (let k = 0; k + 1 < this.t.length; k++) this.row(k, up(this.t[k + 1]), up(this.t[k]));
    this.ends([...this.t.keys()], (k) => up(this.t[k]));
    context.strokeStyle = css('--text') || '#888';
    context.beginPath();
    context.moveTo(left - 4, up(now));
    context.lineTo(width - 12, up(now));
    context.stroke();
    this.labels(start, end, up, bottom);
  }

  private labels(start: number, end: number, up: (t: number) => number, bottom: number) {
    const { context, width, height } = this;
    context.fillStyle = css('--muted') || '#888';
    context.font = '12px system-ui, sans-serif';
    context.textAlign = 'right';
    const times = gridLines(start, end, 4);
    ticks(times).forEach((text, k) => context.fillText(text, left - 6, up(times[k]) + 4));
    context.textAlign = 'center';
    const places = gridLines(this.low, this.high, Math.max(2, width / 110));
    ticks(places).forEach((text, k) => context.fillText(text, this.across(places[k]), bottom + 16));
    context.textAlign = 'left';
    context.fillText(`x to the right, t upwards; stress up to ±${number(this.data.largest, 3)}`, left, height - 8);
    context.fillText(this.data.bodies.join(', '), left, 16, width - left - 16);
  }
}
