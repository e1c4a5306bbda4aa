// A system without [view]: its coordinates as axes that are named, the forbidden side of contacts hatched. One coordinate is a
// strip over time, two or more are the plane of the first two. The axes have scales of their own: coordinates need be no lengths.

import { fitToPlace } from './canvas';
import type { DrawingData } from './data';
import { h } from './dom';
import type { Film } from './film';
import { ticks } from './format';
import { gridLines } from './grid';
import { Landscape } from './landscape';
import type { Scene } from './scene';
import { css, onTheme, palette } from './theme';

const edge = { left: 58, right: 14, top: 12, bottom: 40 };
const tail = 400; // frames of the trail in the plane

export class LandscapeScene implements Scene {
  readonly element: HTMLCanvasElement;
  readonly canFollow = false;
  readonly follows = false;
  readonly help: string;
  private land: Landscape;
  private strip: boolean;
  private context: CanvasRenderingContext2D;
  private film!: Film;
  private frame = 0;
  private width = 0;
  private height = 0;
  private zoom = 1;
  private pan = [0, 0]; // in parts of the plane
  private ground: { key: string; image: HTMLCanvasElement } | null = null;

  constructor(private drawing: DrawingData) {
    this.land = new Landscape(drawing.landscape!);
    this.strip = this.land.data.x === 'time t';
    const { hidden } = this.land.data;
    this.help = 'Wheel zooms, drag pans. The scenario has no [view]: its coordinates are the axes' +
      (this.land.shaded ? ', and the side that contacts forbid is hatched.' : '.') +
      (hidden.length ? ` Not shown, since they depend on more: ${hidden.slice(0, 5).join(', ')}${hidden.length > 5 ? ' …' : ''}.` : '');
    this.element = h('canvas', { role: 'img', 'aria-label': `Motion in the plane of ${this.land.data.x} and ${this.land.data.y}`, 'data-landscape': this.strip ? 'strip' : 'plane' });
    this.context = this.element.getContext('2d')!;
    this.listen();
    onTheme(() => this.draw(this.frame));
  }

  setFollow() {}
  setFilm(film: Film) {
    this.film = film;
    this.fit();
  }
  fit() {
    this.zoom = 1;
    this.pan = [0, 0];
    this.draw(this.frame);
  }
  resize() {
    [this.width, this.height] = fitToPlace(this.context);
    this.draw(this.frame);
  }

  // The window: in a strip the time of the reel, else the whole plane.
  private range(k: 0 | 1): [number, number] {
    const { from, to } = this.land.data;
    const [a, b] = this.strip && k === 0 ? [this.film.start, this.film.end] : [from[k], to[k]];
    const half = (b - a) / 2 / this.zoom || 1;
    const middle = (a + b) / 2 + this.pan[k] * (b - a);
    return [middle - half, middle + half];
  }
  private x = (v: number) => {
    const [a, b] = this.range(0);
    return edge.left + ((v - a) / (b - a)) * (this.width - edge.left - edge.right);
  };
  private y = (v: number) => {
    const [a, b] = this.range(1);
    return this.height - edge.bottom - ((v - a) / (b - a)) * (this.height - edge.top - edge.bottom);
  };

  draw(frame: number) {
    this.frame = frame;
    if (!this.film || this.width < 100) return;
    const c = this.context;
    c.clearRect(0, 0, this.width, this.height);
    const box = [edge.left, edge.top, this.width - edge.left - edge.right, this.height - edge.top - edge.bottom] as const;
    c.save();
    c.beginPath();
    c.rect(...box);
    c.clip();
    if (this.land.shaded) c.drawImage(this.forbidden(box[2], box[3]), ...box);
    c.restore();
    this.axes();
    c.save();
    c.beginPath();
    c.rect(...box);
    c.clip();
    this.path();
    c.restore();
  }

  // Hatched where the gap is negative, with a line where it is zero: drawn again only when the window changes.
  private forbidden(w: number, height: number): HTMLCanvasElement {
    const [[x0, x1], [y0, y1]] = [this.range(0), this.range(1)];
    const key = [w, height, x0, x1, y0, y1, css('--ink')].join();
    if (this.ground?.key === key) return this.ground.image;
    const image = h('canvas', { width: Math.round(w), height: Math.round(height) });
    const c = image.getContext('2d')!;
    const pixels = c.createImageData(image.width, image.height);
    c.fillStyle = css('--ink');
    c.fillRect(0, 0, 1, 1);
    const ink = c.getImageData(0, 0, 1, 1).data;
    let below = new Uint8Array(image.width);
    for (let j = 0; j < image.height; j++) {
      const now = new Uint8Array(image.width);
      const y = y1 - ((j + 0.5) / image.height) * (y1 - y0);
      for (let i = 0; i < image.width; i++) {
        const outside = this.land.at(x0 + ((i + 0.5) / image.width) * (x1 - x0), y) < 0;
        now[i] = outside ? 1 : 0;
        const border = (i > 0 && now[i] !== now[i - 1]) || (j > 0 && now[i] !== below[i]);
        const alpha = border ? 255 : outside ? ((i + j) % 10 < 2 ? 110 : 26) : 0;
        if (alpha) pixels.data.set([ink[0], ink[1], ink[2], alpha], 4 * (j * image.width + i));
      }
      below = now;
    }
    c.putImageData(pixels, 0, 0);
    this.ground = { key, image };
    return image;
  }

  private axes() {
    const c = this.context;
    const [right, bottom] = [this.width - edge.right, this.height - edge.bottom];
    const across = gridLines(...this.range(0), Math.max(2, this.width / 110));
    const up = gridLines(...this.range(1), Math.max(2, this.height / 60));
    c.strokeStyle = css('--grid');
    c.lineWidth = 1;
    c.beginPath();
    for (const v of across) c.moveTo(this.x(v), edge.top), c.lineTo(this.x(v), bottom);
    for (const v of up) c.moveTo(edge.left, this.y(v)), c.lineTo(right, this.y(v));
    c.stroke();
    c.strokeStyle = css('--edge');
    c.strokeRect(edge.left, edge.top, right - edge.left, bottom - edge.top);
    c.fillStyle = css('--muted');
    c.font = '11px system-ui, sans-serif';
    c.textAlign = 'center';
    c.textBaseline = 'top';
    ticks(across).forEach((text, i) => c.fillText(text, this.x(across[i]), bottom + 4));
    c.textAlign = 'right';
    c.textBaseline = 'middle';
    ticks(up).forEach((text, i) => c.fillText(text, edge.left - 5, this.y(up[i])));
    c.font = '600 12px system-ui, sans-serif';
    c.fillStyle = css('--ink');
    c.textAlign = 'center';
    c.textBaseline = 'bottom';
    c.fillText(this.land.data.x, (edge.left + right) / 2, this.height - 3);
    c.save();
    c.translate(12, (edge.top + bottom) / 2);
    c.rotate(-Math.PI / 2);
    c.textBaseline = 'middle';
    c.fillText(this.land.data.y, 0, 0);
    c.restore();
  }

  private point(frame: number): [number, number] {
    const at = this.film.values(this.drawing.shapes.find((s) => s.kind === 'point')?.at, frame);
    if (!this.strip) return [at[0], at[1]];
    const i = Math.floor(frame);
    const t = this.film.times;
    return [t[i] + (i + 1 < t.length ? (frame - i) * (t[i + 1] - t[i]) : 0), at[0]];
  }

  private trace(first: number, last: number, width: number, alpha: number) {
    const c = this.context;
    c.strokeStyle = c.fillStyle = palette(0);
    c.lineWidth = width;
    c.globalAlpha = alpha;
    c.lineJoin = 'round';
    c.beginPath();
    for (let k = first; k <= Math.floor(last) + 1; k++) {
      const [x, y] = this.point(Math.min(k, last));
      if (!Number.isFinite(x + y)) continue;
      if (!this.film.smooth) c.rect(this.x(x) - 0.75, this.y(y) - 0.75, 1.5, 1.5);
      else k > first ? c.lineTo(this.x(x), this.y(y)) : c.moveTo(this.x(x), this.y(y));
    }
    this.film.smooth ? c.stroke() : c.fill();
    c.globalAlpha = 1;
  }

  private path() {
    const c = this.context;
    if (this.strip) this.trace(0, this.film.length - 1, 1, 0.3);
    this.trace(this.strip ? 0 : Math.max(0, Math.floor(this.frame) - tail), this.frame, this.strip ? 2 : 1.5, 0.9);
    const [x, y] = this.point(this.frame);
    c.fillStyle = css('--lost');
    c.strokeStyle = css('--panel');
    c.lineWidth = 2;
    c.beginPath();
    c.arc(this.x(x), this.y(y), 6.5, 0, 2 * Math.PI);
    c.fill();
    c.stroke();
  }

  private listen() {
    const canvas = this.element;
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoom = Math.min(1000, Math.max(0.2, this.zoom * Math.exp(-event.deltaY * 0.0015)));
      this.draw(this.frame);
    }, { passive: false });
    canvas.addEventListener('pointerdown', (event) => event.pointerType !== 'touch' && canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener('pointermove', (event) => {
      if (!canvas.hasPointerCapture(event.pointerId)) return;
      this.pan[0] -= event.movementX / this.width / this.zoom;
      this.pan[1] += event.movementY / this.height / this.zoom;
      this.draw(this.frame);
    });
  }
}
