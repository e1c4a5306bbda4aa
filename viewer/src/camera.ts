// The window of a plane scene: fits the film, follows what runs away along one axis, zooms and pans.

import type { Box } from './bounds';

export interface View {
  x: number; // centre
  y: number;
  scale: number; // pixels a unit
}

// The axis along which the bodies run far out of a window of their own size; null if the whole fits well.
export function runawayAxis(box: Box, size: number[]): 0 | 1 | null {
  const range = [0, 1].map((k) => box.max[k] - box.min[k]);
  if (range[0] > 3 * Math.max(size[0], range[1])) return 0;
  if (range[1] > 3 * Math.max(size[1], range[0])) return 1;
  return null;
}

export class Camera {
  follow: 0 | 1 | null = null;
  zoom = 1;
  panX = 0; // in units
  panY = 0;

  constructor(
    public box: Box,
    public size: number[],
  ) {
    this.follow = runawayAxis(box, size);
  }

  reset() {
    this.zoom = 1;
    this.panX = this.panY = 0;
  }

  // centre: of what moves, in this frame.
  view(width: number, height: number, centre: number[]): View {
    const { min, max } = this.box;
    const middle = [0, 1].map((k) => (min[k] + max[k]) / 2);
    const range = [0, 1].map((k) => max[k] - min[k]);
    if (this.follow !== null && Number.isFinite(centre[this.follow])) {
      middle[this.follow] = centre[this.follow];
      range[this.follow] = Math.max(this.size[this.follow], range[1 - this.follow]);
    }
    const whole = Math.max(range[0], range[1]) || 1;
    const margin = 0.86;
    const scale =
      margin * Math.min(width / Math.max(range[0], whole * 0.02), height / Math.max(range[1], whole * 0.02)) * this.zoom;
    return { x: middle[0] + this.panX, y: middle[1] + this.panY, scale };
  }
}
