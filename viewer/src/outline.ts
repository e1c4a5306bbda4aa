// Plane outlines of shapes: springs, polygons, boxes.

export type Point = [number, number];

export function spring(from: number[], to: number[], coils: number, width: number): Point[] {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const length = Math.hypot(dx, dy) || 1;
  const nx = (-dy / length) * width;
  const ny = (dx / length) * width;
  const points: Point[] = [[from[0], from[1]]];
  const straight = 0.08; // of the length, at both ends
  for (let k = 0; k < 2 * coils; k++) {
    const s = straight + (1 - 2 * straight) * ((k + 0.5) / (2 * coils));
    const side = k % 2 ? -1 : 1;
    points.push([from[0] + s * dx + side * nx, from[1] + s * dy + side * ny]);
  }
  points.push([to[0], to[1]]);
  return points;
}

export function placed(points: number[][], at: number[], angle: number): Point[] {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  return points.map(([x, y]) => [(at[0] ?? 0) + c * x - s * y, (at[1] ?? 0) + s * x + c * y]);
}

export function rectangle([width, height]: number[]): Point[] {
  const x = width / 2;
  const y = height / 2;
  return [[-x, -y], [x, -y], [x, y], [-x, y]];
}
