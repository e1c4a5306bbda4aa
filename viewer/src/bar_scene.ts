// Bodies on a line: above, where they are now, coloured by stress; below, the x–t diagram of the whole run with a line at
// the time of the player. A click in the diagram is the player's business: the picture only draws.

import { doubles, floats, type ContinuumData } from './data';
import { h } from './dom';
import { indexAt, type Film } from './film';
import { ticks } from './format';
import type { Scene } from './scene';
import { css, onTheme } from './theme';

// Pressure blue, tension red, none the grey of a body: s from −1 to 1.
export function stressColour(s: number): [number, number, number] {
  const none = [214, 214, 214];
  const full = s < 0 ? [5, 60, 160] : [170, 20, 30];
  const part = Math.min(1, Math.abs(s));
  return [0, 1, 2].map((k) => Math.round(none[k] + part * (full[k] - none[k]))) as [number, number, number];
}

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
    const ratio = devicePixelRatio || 1;
    this.width = this.element.clientWidth;
    this.height = this.element.clientHeight;
    this.element.width = Math.round(this.width * ratio);
    this.element.height = Math.round(this.height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.draw(this.frame);
  }

  private row(frame: number, top: number, height: number) {
    const across = (x: number) => 44 + ((x - this.low) / (this.high - this.low)) * (this.width - 60);
    let node = frame * this.nodes;
    let cell = frame * this.cells;
    for (const count of this.data.cells) {
      for (let i = 0; i < count; i++) {
        const [r, g, b] = stressColour(this.data.largest > 0 ? this.stress[cell + i] / this.data.largest : 0);
        const left = across(this.x[node + i]);
        this.context.fillStyle = `rgb(${r} ${g} ${b})`;
        this.context.fillRect(left, top, across(this.x[node + i + 1]) - left + 0.5, height);
      }
      node += count + 1;
      cell += count;
    }
  }

  draw(frame: number) {
    this.frame = frame;
    if (!this.width || !this.film) return;
    const { context, width, height } = this;
    context.clearRect(0, 0, width, height);
    const i = Math.floor(frame);
    const times = this.film.times;
    const now = i + 1 < times.length ? times[i] + (frame - i) * (times[i + 1] - times[i]) : times[i];
    this.row(indexAt(this.t, now), 24, 34);
    // the diagram: time upwards
    const [top, bottom] = [80, height - 28];
    const [start, end] = [this.t[0], this.t[this.t.length - 1]];
    const up = (t: number) => bottom - ((t - start) / (end - start || 1)) * (bottom - top);
    for (let k = 0; k < this.t.length; k++) {
      const upper = up(k + 1 < this.t.length ? this.t[k + 1] : this.t[k]);
      this.row(k, upper, up(this.t[k]) - upper + 0.5);
    }
    context.strokeStyle = css('--text') || '#888';
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(40, up(now));
    context.lineTo(width - 12, up(now));
    context.stroke();
    context.fillStyle = css('--muted') || '#888';
    context.font = '12px system-ui, sans-serif';
    context.textAlign = 'left';
    context.fillText(`x from ${ticks([this.low])[0]} to ${ticks([this.high])[0]}; stress up to ±${ticks([this.data.largest])[0]}`, 44, height - 10);
    context.fillText(this.data.bodies.join(', '), 44, 16);
    context.textAlign = 'right';
    context.fillText(ticks([end])[0] ?? '', 38, top + 8);
    context.fillText(ticks([start])[0] ?? '', 38, bottom);
  }
}
