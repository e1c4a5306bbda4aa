// How much room the shapes need: in one frame, and over the whole film.

import type { ShapeData } from './data';
import type { Film } from './film';

export interface Box {
  min: number[];
  max: number[];
}

const empty = (dimension: number): Box => ({ min: Array(dimension).fill(Infinity), max: Array(dimension).fill(-Infinity) });

function grow(box: Box, point: number[], radius: number) {
  if (!point.every(Number.isFinite) || !Number.isFinite(radius)) return;
  for (let k = 0; k < box.min.length; k++) {
    box.min[k] = Math.min(box.min[k], (point[k] ?? 0) - radius);
    box.max[k] = Math.max(box.max[k], (point[k] ?? 0) + radius);
  }
}

// Half the largest extent of a shape around its place.
export function reach(shape: ShapeData, film: Film, frame: number): number {
  const of = (list: number[]) => list.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  if (shape.points) return Math.max(...shape.points.map((p) => Math.hypot(...p)));
  if (shape.radius) return of(film.values(shape.radius, frame));
  if (shape.radii) return of(film.values(shape.radii, frame));
  if (shape.size) return Math.hypot(...film.values(shape.size, frame)) / 2;
  return 0;
}

export function frameBox(shapes: ShapeData[], film: Film, frame: number, dimension: number, moving = false): Box {
  const box = empty(dimension);
  for (const shape of shapes) {
    if (shape.kind === 'trail' || (moving && !moves(shape))) continue;
    if (shape.from && shape.to) {
      const [from, to] = [film.values(shape.from, frame), film.values(shape.to, frame)];
      // A cylinder is wide across its axis a: r √(1 − a_k²) in direction k.
      const r = shape.kind === 'cylinder' ? reach(shape, film, frame) : 0;
      const length = Math.hypot(...from.map((x, k) => to[k] - x)) || 1;
      const wide = from.map((x, k) => r * Math.sqrt(Math.max(0, 1 - ((to[k] - x) / length) ** 2)));
      for (const end of [from, to]) for (const side of [-1, 1]) grow(box, end.map((x, k) => x + side * wide[k]), 0);
    } else if (shape.kind === 'polygon' && !shape.at) {
      for (const point of shape.points ?? []) grow(box, point, 0);
    } else if (shape.at) {
      grow(box, film.values(shape.at, frame), shape.kind === 'plane' ? 0 : reach(shape, film, frame));
    }
  }
  return box;
}

export const moves = (shape: ShapeData) =>
  [shape.at, shape.from, shape.to, shape.angle].some((list) => list?.some((n) => typeof n !== 'number'));

export function union(a: Box, b: Box): Box {
  return { min: a.min.map((x, k) => Math.min(x, b.min[k])), max: a.max.map((x, k) => Math.max(x, b.max[k])) };
}

// The box of the film, and the largest size of what moves in a single frame.
export function filmBox(shapes: ShapeData[], film: Film, dimension: number): { box: Box; size: number[] } {
  let box = empty(dimension);
  const size: number[] = Array(dimension).fill(0);
  const skip = Math.max(1, Math.floor(film.length / 500));
  for (let frame = 0; frame < film.length; frame += skip) {
    const one = frameBox(shapes, film, frame, dimension);
    if (one.min[0] > one.max[0]) continue;
    box = union(box, one);
    const body = frameBox(shapes, film, frame, dimension, true);
    for (let k = 0; k < dimension; k++) if (body.max[k] > body.min[k]) size[k] = Math.max(size[k], body.max[k] - body.min[k]);
  }
  if (box.min[0] > box.max[0]) box = { min: Array(dimension).fill(-1), max: Array(dimension).fill(1) };
  return { box, size };
}
