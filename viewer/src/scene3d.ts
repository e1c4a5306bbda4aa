// A scene in space: three.js, mouse or finger orbits, wheel zooms. z is up. This file is a script of its own, which the
// program puts into the reports that need it.

import {
  AmbientLight,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CircleGeometry,
  Color,
  DirectionalLight,
  DoubleSide,
  GridHelper,
  Line,
  LineBasicMaterial,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Object3D,
  PerspectiveCamera,
  PlaneGeometry,
  Points,
  PointsMaterial,
  Quaternion,
  Scene,
  Shape,
  Sprite,
  SpriteMaterial,
  CanvasTexture,
  CylinderGeometry,
  ShapeGeometry,
  SphereGeometry,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { filmBox, frameBox, moves, type Box } from './bounds';
import type { ShapeData } from './data';
import type { Film } from './film';
import type { Scene as PlayerScene } from './scene';
import { css, onTheme, palette } from './theme';

type Update = (film: Film, frame: number) => void;
interface Drawn {
  object: Object3D;
  update: Update;
}

const up = new Vector3(0, 0, 1);
const vector = (list: number[]) => new Vector3(list[0] ?? 0, list[1] ?? 0, list[2] ?? 0);

// rotation: 1 number is an angle about z, 3 a rotation vector, 4 a quaternion (w, x, y, z), 9 a matrix by rows.
export function orientation(r: number[]): Quaternion {
  const q = new Quaternion();
  if (r.length === 1) q.setFromAxisAngle(up, r[0]);
  if (r.length === 3) {
    const angle = Math.hypot(...r);
    if (angle > 0) q.setFromAxisAngle(vector(r).divideScalar(angle), angle);
  }
  if (r.length === 4) q.set(r[1], r[2], r[3], r[0]).normalize();
  if (r.length === 9)
    q.setFromRotationMatrix(new Matrix4().set(r[0], r[1], r[2], 0, r[3], r[4], r[5], 0, r[6], r[7], r[8], 0, 0, 0, 0, 1));
  return q;
}

function color(shape: ShapeData): Color {
  if (shape.color) return new Color(shape.color);
  if (shape.kind === 'trail') return new Color(palette(1));
  return new Color(['segment', 'spring', 'plane'].includes(shape.kind) ? css('--ink') : palette(0));
}

function curve(shape: ShapeData, points: number): { object: Line; set: (k: number, p: number[]) => void; finish: (n: number) => void } {
  const positions = new BufferAttribute(new Float32Array(3 * points), 3);
  const geometry = new BufferGeometry().setAttribute('position', positions);
  const object = new Line(geometry, new LineBasicMaterial({ color: color(shape) }));
  object.frustumCulled = false;
  return {
    object,
    set: (k, p) => positions.setXYZ(k, p[0] ?? 0, p[1] ?? 0, p[2] ?? 0),
    finish: (n) => {
      geometry.setDrawRange(0, n);
      positions.needsUpdate = true;
    },
  };
}

function helix(shape: ShapeData, size: number): Drawn {
  const turns = shape.coils ?? 8;
  const n = 16 * turns + 1;
  const line = curve(shape, n);
  return {
    object: line.object,
    update: (film, frame) => {
      const from = vector(film.values(shape.from, frame));
      const along = vector(film.values(shape.to, frame)).sub(from);
      const turn = new Quaternion().setFromUnitVectors(up, along.clone().normalize());
      for (let k = 0; k < n; k++) {
        const s = k / (n - 1);
        const r = k === 0 || k === n - 1 ? 0 : size * 0.02;
        const a = 2 * Math.PI * turns * s;
        const p = new Vector3(r * Math.cos(a), r * Math.sin(a), 0).applyQuaternion(turn).addScaledVector(along, s).add(from);
        line.set(k, [p.x, p.y, p.z]);
      }
      line.finish(n);
    },
  };
}

function trail(shape: ShapeData, film: Film): Drawn {
  const line = curve(shape, film.length + 1);
  const object = !film.smooth ? new Points(line.object.geometry, new PointsMaterial({ color: color(shape), size: 2, sizeAttenuation: false })) : line.object;
  object.frustumCulled = false;
  return {
    object,
    update: (_, frame) => {
      const last = Math.floor(frame);
      const length = film.values(shape.length, frame)[0] ?? Infinity;
      const first = Math.max(0, Math.ceil(last - length / film.stride));
      for (let k = first; k <= last; k++) line.set(k - first, film.values(shape.at, k));
      line.set(last - first + 1, film.values(shape.at, frame));
      line.finish(last - first + 2);
    },
  };
}

function body(shape: ShapeData, film: Film, size: number): Drawn {
  const solid = new MeshStandardMaterial({ color: color(shape), roughness: 0.55, side: DoubleSide });
  const get = (list: ShapeData['at'], frame: number) => film.values(list, frame);
  if (shape.kind === 'segment') {
    const line = curve(shape, 2);
    return {
      object: line.object,
      update: (_, frame) => {
        line.set(0, get(shape.from, frame));
        line.set(1, get(shape.to, frame));
        line.finish(2);
      },
    };
  }
  if (shape.kind === 'cylinder') {
    const wall = new MeshStandardMaterial({ color: shape.color ? new Color(shape.color) : new Color(palette(4)), transparent: true, opacity: 0.22, side: DoubleSide, depthWrite: false, roughness: 0.6 });
    const mesh = new Mesh(new CylinderGeometry(1, 1, 1, 64, 1, true), wall);
    const rims = [0.5, -0.5].map((y) => {
      const ring = [...Array(97).keys()].map((k) => new Vector3(Math.cos((k * Math.PI) / 48), y, Math.sin((k * Math.PI) / 48)));
      return new Line(new BufferGeometry().setFromPoints(ring), new LineBasicMaterial({ color: css('--muted') }));
    });
    mesh.add(...rims);
    return {
      object: mesh,
      update: (_, frame) => {
        const [from, to] = [vector(get(shape.from, frame)), vector(get(shape.to, frame))];
        const [axis, r] = [to.clone().sub(from), get(shape.radius, frame)[0]];
        mesh.position.copy(from).add(to).multiplyScalar(0.5);
        mesh.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), axis.clone().normalize());
        mesh.scale.set(r, axis.length(), r);
      },
    };
  }
  if (shape.kind === 'spring') return helix(shape, size);
  if (shape.kind === 'trail') return trail(shape, film);
  if (shape.kind === 'plane') {
    const mesh = new Mesh(
      new PlaneGeometry(3 * size, 3 * size),
      new MeshBasicMaterial({ color: color(shape), transparent: true, opacity: 0.12, side: DoubleSide, depthWrite: false }),
    );
    return {
      object: mesh,
      update: (_, frame) => {
        mesh.position.copy(vector(get(shape.at, frame)));
        mesh.quaternion.setFromUnitVectors(up, vector(get(shape.normal, frame)).normalize());
      },
    };
  }
  if (shape.kind === 'polygon' && shape.points!.length && shape.points![0].length === 3) {
    const line = curve(shape, shape.points!.length + 1);
    return {
      object: line.object,
      update: (_, frame) => {
        line.object.position.copy(vector(get(shape.at, frame)));
        line.object.rotation.z = get(shape.angle, frame)[0] ?? 0;
        [...shape.points!, shape.points![0]].forEach((p, k) => line.set(k, p));
        line.finish(shape.points!.length + 1);
      },
    };
  }
  const geometry =
    shape.kind === 'box'
      ? new BoxGeometry()
      : shape.kind === 'polygon'
        ? new ShapeGeometry(new Shape(shape.points!.map(([x, y]) => new Vector2(x, y))))
        : shape.kind === 'circle' || shape.kind === 'ellipse'
          ? new CircleGeometry(1, 48)
          : new SphereGeometry(1, 40, 24);
  const mesh = new Mesh(geometry, solid);
  return {
    object: mesh,
    update: (_, frame) => {
      const at = get(shape.at, frame);
      mesh.visible = at.every(Number.isFinite);
      mesh.position.copy(vector(at));
      const radius = shape.kind === 'point' ? size * 0.012 : (get(shape.radius, frame)[0] ?? 1);
      if (shape.kind === 'box') {
        const [x, y, z] = get(shape.size, frame);
        mesh.scale.set(x, y, z ?? Math.min(x, y) * 0.2);
        mesh.quaternion.copy(orientation(get(shape.rotation, frame)));
      } else if (shape.kind === 'ellipse') {
        const [a, b] = get(shape.radii, frame);
        mesh.scale.set(a, b, 1);
      } else if (shape.kind !== 'polygon') {
        mesh.scale.setScalar(Math.max(radius, size * 0.002));
      }
      if (shape.angle) mesh.rotation.z = get(shape.angle, frame)[0];
    },
  };
}

// A word that turns to the camera.
function word(text: string): Sprite {
  const canvas = document.createElement('canvas');
  canvas.width = 256;
  canvas.height = 64;
  const c = canvas.getContext('2d')!;
  c.font = '600 40px system-ui, sans-serif';
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.fillStyle = css('--muted');
  c.fillText(text, 128, 32);
  const sprite = new Sprite(new SpriteMaterial({ map: new CanvasTexture(canvas), depthTest: false, transparent: true, sizeAttenuation: false }));
  sprite.scale.set(0.16, 0.04, 1); // of the height of the picture, whatever the distance
  return sprite;
}

// Axes along three edges of the box, with name and the values at both ends.
function axisLabels(box: Box, size: number): Object3D[] {
  const out: Object3D[] = [];
  const { min, max } = box;
  ['x', 'y', 'z'].forEach((name, k) => {
    if (!(max[k] > min[k])) return;
    const corner = [min[0], min[1], min[2]].map((v, j) => (j === k || j === 2 ? v : k === 1 ? max[0] + 0.04 * size : v - 0.04 * size)); // y to the right: names do not meet
    const end = corner.map((v, j) => (j === k ? max[k] : v));
    const line = new Line(new BufferGeometry().setFromPoints([vector(corner), vector(end)]), new LineBasicMaterial({ color: css('--muted') }));
    out.push(line);
    for (const [text, s] of [[Number(min[k].toPrecision(3)).toString(), 0], [name, 0.5], [Number(max[k].toPrecision(3)).toString(), 1]] as const) {
      const at = vector(corner).lerp(vector(end), s);
      const shift = 0.05 * size;
      const label = word(text);
      label.position.copy(at).add(k === 0 ? new Vector3(0, -shift, 0) : k === 1 ? new Vector3(shift, 0, 0) : new Vector3(-1.6 * shift, -shift, 0));
      out.push(label);
    }
  });
  return out;
}

export class Scene3d implements PlayerScene {
  readonly element: HTMLCanvasElement;
  readonly help = 'Drag orbits, wheel zooms.';
  follows = false;
  private renderer: WebGLRenderer;
  private camera = new PerspectiveCamera(40, 1, 0.01, 1000);
  private controls: OrbitControls;
  private scene = new Scene();
  private drawn: Drawn[] = [];
  private film!: Film;
  private box: Box = { min: [-1, -1, -1], max: [1, 1, 1] };
  private frame = 0;
  private centre = new Vector3();

  constructor(private shapes: ShapeData[]) {
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
    this.element = this.renderer.domElement;
    this.element.setAttribute('role', 'img');
    this.element.setAttribute('aria-label', 'Drawing of the motion');
    this.camera.up.copy(up);
    this.controls = new OrbitControls(this.camera, this.element);
    this.controls.maxPolarAngle = 0.49 * Math.PI; // never from below the floor
    this.controls.addEventListener('change', () => this.render());
    this.element.style.touchAction = 'pan-y';
    onTheme(() => this.setFilm(this.film));
  }

  get canFollow() {
    return this.shapes.some(moves);
  }

  setFilm(film: Film) {
    const first = !this.film || this.film !== film;
    this.film = film;
    this.box = filmBox(this.shapes, film, 3).box;
    const size = this.size();
    this.scene.clear();
    this.scene.add(new AmbientLight(0xffffff, 1.4));
    const sun = new DirectionalLight(0xffffff, 2);
    sun.position.set(1, -2, 3);
    this.scene.add(sun);
    const grid = new GridHelper(2 * size, 20, css('--muted'), css('--grid'));
    grid.rotation.x = Math.PI / 2;
    grid.position.set(...([0, 1].map((k) => (this.box.min[k] + this.box.max[k]) / 2) as [number, number]), this.box.min[2]);
    this.scene.add(grid);
    for (const label of axisLabels(this.box, size)) this.scene.add(label);
    this.drawn = this.shapes.map((shape) => body(shape, film, size));
    for (const { object } of this.drawn) this.scene.add(object);
    if (first) this.fit();
    else this.draw(this.frame);
  }

  private size() {
    return Math.hypot(...this.box.min.map((x, k) => this.box.max[k] - x)) || 1;
  }

  fit() {
    const size = this.size();
    const middle = vector(this.box.min.map((x, k) => (x + this.box.max[k]) / 2));
    const distance = (0.62 * size) / Math.tan((this.camera.fov / 2) * (Math.PI / 180)) / Math.min(1, this.camera.aspect);
    this.camera.near = size / 1000;
    this.camera.far = size * 50;
    this.camera.position.copy(middle).add(new Vector3(0.62, -0.68, 0.4).normalize().multiplyScalar(distance));
    this.controls.target.copy(middle);
    this.centre.copy(middle);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.draw(this.frame);
  }

  setFollow(on: boolean) {
    this.follows = on;
    on ? this.draw(this.frame) : this.fit();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.element.parentElement!;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio || 1));
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.fit();
  }

  draw(frame: number) {
    this.frame = frame;
    for (const { update } of this.drawn) update(this.film, frame);
    if (this.follows) {
      const body = frameBox(this.shapes, this.film, frame, 3, true);
      const to = vector(body.min.map((x, k) => (x + body.max[k]) / 2));
      if (Number.isFinite(to.lengthSq())) {
        const shift = to.clone().sub(this.controls.target);
        this.camera.position.add(shift);
        this.controls.target.copy(to);
      }
    }
    this.render();
  }

  // What is drawn can be asked of the element: surfaces, axes, and how far above the floor one looks from.
  private render() {
    let surfaces = 0;
    this.scene.traverse((object) => (surfaces += object instanceof Mesh ? 1 : 0));
    this.element.dataset.surfaces = String(surfaces);
    this.element.dataset.axes = ['x', 'y', 'z'].filter((_, k) => this.box.max[k] > this.box.min[k]).join(' ');
    this.element.dataset.above = ((this.camera.position.z - this.box.min[2]) / this.size()).toFixed(4);
    this.renderer.render(this.scene, this.camera);
  }
}
