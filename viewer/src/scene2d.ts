// A plane scene on a canvas: wheel zooms, drag pans.

import { filmBox, frameBox, moves } from './bounds';
import { Camera, runawayAxis, type View } from './camera';
import { fitToPlace } from './canvas';
import type { ShapeData } from './data';
import { h } from './dom';
import type { Film } from './film';
import { ticks } from './format';
import { gridLines } from './grid';
import { placed, rectangle, spring, type Point } from './outline';
import type { Scene } from './scene';
import { css, onTheme, palette } from './theme';

const line = new Set(['segment', 'spring', 'plane', 'trail']);

export class Scene2d implements Scene {
  readonly element: HTMLCanvasElement;
  readonly help = 'Wheel zooms, drag pans.';
  private context: CanvasRenderingContext2D;
  private film!: Film;
  private camera!: Camera;
  private view: View = { x: 0, y: 0, scale: 1 };
  private frame = 0;
  private width = 0;
  private height = 0;

  constructor(private shapes: ShapeData[]) {
    this.element = h('canvas', { role: 'img', 'aria-label': 'Drawing of the motion' });
    this.context = this.element.getContext('2d')!;
    this.listenToPointer();
    onTheme(() => this.draw(this.frame));
  }

  setFilm(film: Film) {
    this.film = film;
    const { box, size } = filmBox(this.shapes, film, 2);
    this.camera = new Camera(box, size);
  }

  get canFollow() {
    return this.shapes.some(moves);
  }
  get follows() {
    return this.camera.follow !== null;
  }
  setFollow(on: boolean) {
    const { box, size } = this.camera;
    this.camera.follow = on ? (runawayAxis(box, size) ?? (box.max[0] - box.min[0] >= box.max[1] - box.min[1] ? 0 : 1)) : null;
    this.draw(this.frame);
  }
  fit() {
    this.camera.reset();
    this.draw(this.frame);
  }

  resize() {
    [this.width, this.height] = fitToPlace(this.context);
    this.draw(this.frame);
  }

  draw(frame: number) {
    this.frame = frame;
    if (!this.film || this.width === 0) return;
    const body = frameBox(this.shapes, this.film, frame, 2, true);
    this.view = this.camera.view(this.width, this.height, [0, 1].map((k) => (body.min[k] + body.max[k]) / 2));
    this.context.clearRect(0, 0, this.width, this.height);
    this.drawGrid();
    for (const shape of this.shapes) this.drawShape(shape);
    for (const shape of this.shapes) if (shape.label) this.drawLabel(shape);
  }

  private toScreen = ([x, y]: number[]): Point => [
    this.width / 2 + (x - this.view.x) * this.view.scale,
    this.height / 2 - (y - this.view.y) * this.view.scale,
  ];

  private drawGrid() {
    const c = this.context;
    const { x, y, scale } = this.view;
    const [w, height] = [this.width / 2 / scale, this.height / 2 / scale];
    c.font = '11px system-ui, sans-serif';
    c.lineWidth = 1;
    c.strokeStyle = css('--grid');
    c.fillStyle = css('--muted');
    const across = gridLines(x - w, x + w, Math.max(2, this.width / 110));
    const up = gridLines(y - height, y + height, Math.max(2, this.height / 80));
    c.beginPath();
    for (const value of across) {
      const [px] = this.toScreen([value, 0]);
      c.moveTo(px, 0);
      c.lineTo(px, this.height);
    }
    for (const value of up) {
      const [, py] = this.toScreen([0, value]);
      c.moveTo(0, py);
      c.lineTo(this.width, py);
    }
    c.stroke();
    c.textAlign = 'center';
    c.textBaseline = 'bottom';
    ticks(across).forEach((text, i) => {
      const [px] = this.toScreen([across[i], 0]);
      if (px > 50 && px < this.width - 16) c.fillText(text, px, this.height - 3);
    });
    c.textAlign = 'left';
    c.textBaseline = 'bottom';
    ticks(up).forEach((text, i) => {
      const [, py] = this.toScreen([0, up[i]]);
      if (py > 14 && py < this.height - 18) c.fillText(text, 4, py - 2);
    });
  }

  private color(shape: ShapeData) {
    if (shape.color) return shape.color;
    if (shape.kind === 'trail') return palette(1);
    return line.has(shape.kind) || !moves(shape) ? css('--ink') : palette(0);
  }

  private path(points: Point[], close: boolean) {
    const c = this.context;
    c.beginPath();
    points.forEach((p, i) => {
      const [x, y] = this.toScreen(p);
      i ? c.lineTo(x, y) : c.moveTo(x, y);
    });
    if (close) c.closePath();
  }

  private drawShape(shape: ShapeData) {
    const c = this.context;
    const get = (list: ShapeData['at']) => this.film.values(list, this.frame);
    const at = get(shape.at);
    const color = this.color(shape);
    c.strokeStyle = color;
    c.fillStyle = color;
    c.lineWidth = 2;
    c.lineJoin = 'round';
    c.setLineDash([]);
    if (![...at, ...get(shape.from), ...get(shape.to)].every(Number.isFinite)) return;
    const angle = get(shape.angle)[0] ?? 0;
    switch (shape.kind) {
      case 'point': {
        const [x, y] = this.toScreen(at);
        c.beginPath();
        c.arc(x, y, 5, 0, 2 * Math.PI);
        c.fill();
        return;
      }
      case 'circle':
      case 'sphere':
      case 'ellipse': {
        const [x, y] = this.toScreen(at);
        const radii = shape.kind === 'ellipse' ? get(shape.radii) : [get(shape.radius)[0], get(shape.radius)[0]];
        const [a, b] = radii.map((r) => Math.max(1.5, Math.abs(r) * this.view.scale));
        if (!Number.isFinite(a + b)) return;
        c.beginPath();
        c.ellipse(x, y, a, b, -angle, 0, 2 * Math.PI);
        this.fillBody(shape);
        return;
      }
      case 'polygon':
        this.path(placed(shape.points!, at, angle), true);
        this.fillBody(shape);
        return;
      case 'box':
        this.path(placed(rectangle(get(shape.size)), at, get(shape.rotation)[0] ?? 0), true);
        this.fillBody(shape);
        return;
      case 'cylinder': // of a scene in space, without WebGL: its axis
      case 'segment':
        this.path([get(shape.from) as Point, get(shape.to) as Point], false);
        c.stroke();
        return;
      case 'spring':
        c.lineWidth = 1.5;
        this.path(spring(get(shape.from), get(shape.to), shape.coils!, 6 / this.view.scale), false);
        c.stroke();
        return;
      case 'plane':
        this.drawPlane(at, get(shape.normal));
        return;
      case 'trail':
        this.drawTrail(shape);
        return;
    }
  }

  private fillBody(shape: ShapeData) {
    const c = this.context;
    if (moves(shape) || shape.color) {
      c.globalAlpha = 0.3;
      c.fill();
      c.globalAlpha = 1;
    }
    c.stroke();
  }

  // A line with hatching on the side the bodies may not enter.
  private drawPlane(at: number[], normal: number[]) {
    const c = this.context;
    const [x, y] = this.toScreen(at);
    const length = Math.hypot(normal[0], normal[1]) || 1;
    const n: Point = [normal[0] / length, -normal[1] / length];
    const along: Point = [-n[1], n[0]];
    const far = this.width + this.height + Math.hypot(x - this.width / 2, y - this.height / 2);
    c.beginPath();
    c.moveTo(x - far * along[0], y - far * along[1]);
    c.lineTo(x + far * along[0], y + far * along[1]);
    c.stroke();
    c.globalAlpha = 0.45;
    c.lineWidth = 1;
    c.beginPath();
    const nearest = (this.width / 2 - x) * along[0] + (this.height / 2 - y) * along[1];
    const span = this.width + this.height;
    for (let s = Math.floor((nearest - span) / 12) * 12; s < nearest + span; s += 12) {
      c.moveTo(x + s * along[0], y + s * along[1]);
      c.lineTo(x + (s - 7) * along[0] - 8 * n[0], y + (s - 7) * along[1] - 8 * n[1]);
    }
    c.stroke();
    c.globalAlpha = 1;
  }

  private drawTrail(shape: ShapeData) {
    const c = this.context;
    const last = Math.floor(this.frame);
    const length = this.film.values(shape.length, this.frame)[0] ?? Infinity;
    const first = Math.max(0, Math.ceil(last - length / this.film.stride));
    const points: Point[] = [];
    for (let k = first; k <= last; k++) points.push(this.film.values(shape.at, k) as Point);
    points.push(this.film.values(shape.at, this.frame) as Point);
    c.lineWidth = 1.3;
    c.globalAlpha = 0.8;
    if (!this.film.smooth) {
      for (const [x, y] of points.map(this.toScreen)) c.fillRect(x - 0.75, y - 0.75, 1.5, 1.5);
    } else {
      this.path(points.filter((p) => p.every(Number.isFinite)), false);
      c.stroke();
    }
    c.globalAlpha = 1;
  }

  private drawLabel(shape: ShapeData) {
    const at = this.film.values(shape.at ?? shape.to, this.frame);
    if (at.length < 2 || !at.every(Number.isFinite)) return;
    const [x, y] = this.toScreen(at);
    const c = this.context;
    c.font = '12px system-ui, sans-serif';
    c.textAlign = 'left';
    c.textBaseline = 'bottom';
    c.lineWidth = 3;
    c.strokeStyle = css('--panel');
    c.fillStyle = css('--ink');
    const text = shape.label.length > 40 ? shape.label.slice(0, 39) + '…' : shape.label;
    c.strokeText(text, x + 7, y - 5);
    c.fillText(text, x + 7, y - 5);
  }

  private listenToPointer() {
    const canvas = this.element;
    canvas.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        this.camera.zoom = Math.min(1000, Math.max(0.02, this.camera.zoom * Math.exp(-event.deltaY * 0.0015)));
        this.draw(this.frame);
      },
      { passive: false },
    );
    canvas.addEventListener('pointerdown', (event) => {
      if (event.pointerType === 'touch') return; // a finger scrolls the page
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (!canvas.hasPointerCapture(event.pointerId)) return;
      this.camera.panX -= event.movementX / this.view.scale;
      this.camera.panY += event.movementY / this.view.scale;
      this.draw(this.frame);
    });
  }
}
