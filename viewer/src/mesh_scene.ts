// Bodies in the plane: their triangles where they are now, coloured by the mean stress in the plane; wheel zooms, drag
// pans. Walls are grey.

import { stressColour } from './bar_scene';
import { Camera, type View } from './camera';
import { fitToPlace } from './canvas';
import { bytesOf, doubles, type MeshData } from './data';
import { h } from './dom';
import { indexAt, type Film } from './film';
import { number } from './format';
import type { Scene } from './scene';
import { css, onTheme } from './theme';

// Places are 16 bits of the room that all frames take.
export function unpack(x: Uint16Array, box: number[], i: number): number {
  const k = i % 2;
  return box[k] + (x[i] / 65535) * (box[k + 2] - box[k]);
}

export class MeshScene implements Scene {
  readonly element: HTMLCanvasElement;
  readonly help = 'Blue is pressure, red tension. Wheel zooms, drag pans.';
  readonly canFollow = false;
  readonly follows = false;
  private context: CanvasRenderingContext2D;
  private t: Float64Array;
  private x: Uint16Array;
  private stress: Int8Array;
  private triangles: Int32Array;
  private outline: Int32Array;
  private nodes: number; // of a frame
  private camera: Camera;
  private view: View = { x: 0, y: 0, scale: 1 };
  private film!: Film;
  private frame = 0;
  private width = 0;
  private height = 0;

  constructor(private data: MeshData) {
    this.element = h('canvas', { role: 'img', 'aria-label': 'Bodies and their stress' });
    this.context = this.element.getContext('2d')!;
    this.t = doubles(data.t);
    this.x = new Uint16Array(bytesOf(data.x));
    this.stress = new Int8Array(bytesOf(data.stress));
    this.triangles = new Int32Array(bytesOf(data.triangles));
    this.outline = new Int32Array(bytesOf(data.outline));
    this.nodes = this.x.length / 2 / this.t.length;
    const [x0, y0, x1, y1] = data.box;
    this.camera = new Camera({ min: [x0, y0], max: [x1, y1] }, [x1 - x0, y1 - y0]);
    this.camera.follow = null;
    this.listenToPointer();
    onTheme(() => this.draw(this.frame));
  }

  setFilm(film: Film) {
    this.film = film;
  }
  setFollow() {}
  fit() {
    this.camera.reset();
    this.draw(this.frame);
  }
  resize() {
    [this.width, this.height] = fitToPlace(this.context);
    this.draw(this.frame);
  }

  private listenToPointer() {
    this.element.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        this.camera.zoom *= Math.exp(-event.deltaY * 0.0015);
        this.draw(this.frame);
      },
      { passive: false },
    );
    this.element.addEventListener('pointerdown', (event) => this.element.setPointerCapture(event.pointerId));
    this.element.addEventListener('pointermove', (event) => {
      if (!(event.buttons & 1)) return;
      this.camera.panX -= event.movementX / this.view.scale;
      this.camera.panY += event.movementY / this.view.scale;
      this.draw(this.frame);
    });
  }

  private px = (x: number) => this.width / 2 + (x - this.view.x) * this.view.scale;
  private py = (y: number) => this.height / 2 - (y - this.view.y) * this.view.scale;

  private walls() {
    const { context } = this;
    context.fillStyle = css('--edge') || '#bbb';
    for (const wall of this.data.walls) {
      context.beginPath();
      const [x, y] = wall.at;
      if (wall.circle) {
        context.arc(this.px(x), this.py(y), wall.radius * this.view.scale, 0, 2 * Math.PI);
      } else {
        const [nx, ny] = wall.normal;
        const far = (2 * (this.width + this.height)) / this.view.scale;
        for (const [along, down] of [[-far, 0], [far, 0], [far, far], [-far, far]])
          context.lineTo(this.px(x - along * ny - down * nx), this.py(y + along * nx - down * ny));
      }
      context.fill();
    }
  }

  draw(frame: number) {
    this.frame = frame;
    if (!this.width || !this.film) return;
    const { context, width, height } = this;
    context.clearRect(0, 0, width, height);
    this.view = this.camera.view(width, height, []);
    const i = Math.floor(frame);
    const times = this.film.times;
    const now = i + 1 < times.length ? times[i] + (frame - i) * (times[i + 1] - times[i]) : times[i];
    const shown = indexAt(this.t, now);
    this.walls();
    // where the nodes are on the screen, then the triangles by colour: few changes of the pen
    const [px, py] = [new Float32Array(this.nodes), new Float32Array(this.nodes)];
    for (let n = 0; n < this.nodes; n++) {
      px[n] = this.px(unpack(this.x, this.data.box, 2 * (shown * this.nodes + n)));
      py[n] = this.py(unpack(this.x, this.data.box, 2 * (shown * this.nodes + n) + 1));
    }
    const cells = this.triangles.length / 3;
    const levels = new Map<number, number[]>();
    for (let c = 0; c < cells; c++) {
      const level = Math.round(this.stress[shown * cells + c] / 8);
      const list = levels.get(level);
      list ? list.push(c) : levels.set(level, [c]);
    }
    context.lineWidth = 0.7;
    for (const [level, list] of levels) {
      const [r, g, b] = stressColour((level * 8) / 127);
      context.fillStyle = context.strokeStyle = `rgb(${r} ${g} ${b})`;
      context.beginPath();
      for (const c of list) {
        const [a, d, e] = [this.triangles[3 * c], this.triangles[3 * c + 1], this.triangles[3 * c + 2]];
        context.moveTo(px[a], py[a]);
        context.lineTo(px[d], py[d]);
        context.lineTo(px[e], py[e]);
        context.closePath();
      }
      context.fill();
      context.stroke(); // closes the seams
    }
    context.strokeStyle = '#333';
    context.lineWidth = 1;
    context.beginPath();
    for (let s = 0; s < this.outline.length; s += 2) {
      context.moveTo(px[this.outline[s]], py[this.outline[s]]);
      context.lineTo(px[this.outline[s + 1]], py[this.outline[s + 1]]);
    }
    context.stroke();
    context.fillStyle = css('--muted') || '#888';
    context.font = '12px system-ui, sans-serif';
    context.fillText(`mean stress in the plane up to ±${number(this.data.largest, 3)}; ${this.data.bodies.join(', ')}`, 12, height - 10, width - 24);
  }
}
