// A reel of frames: the values of all tracks at any time.

import { doubles, floats, type Num, type ReelData } from './data';

// The last index with times[i] <= t, at least 0.
export function indexAt(times: ArrayLike<number>, t: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Up to this stride the motion between two frames is drawn as straight; beyond it too much may have happened.
export const smoothStride = 4;

export class Film {
  readonly name: string;
  readonly records: number;
  readonly stride: number;
  readonly times: Float64Array;
  readonly tracks: Float32Array[];

  constructor(reel: ReelData) {
    this.name = reel.name;
    this.records = reel.records;
    this.stride = reel.stride;
    this.times = doubles(reel.t);
    this.tracks = reel.tracks.map(floats);
  }

  get start() {
    return this.times[0];
  }
  get end() {
    return this.times[this.times.length - 1];
  }
  get length() {
    return this.times.length;
  }

  get smooth() {
    return this.stride <= smoothStride;
  }

  // A frame number with a fraction. Between distant frames nothing is known, so nothing is made up.
  frameAt(t: number): number {
    const i = indexAt(this.times, t);
    if (i + 1 >= this.length) return this.length - 1;
    const fraction = (t - this.times[i]) / (this.times[i + 1] - this.times[i]);
    if (!this.smooth) return fraction < 0.5 ? i : i + 1;
    return i + Math.min(1, Math.max(0, fraction));
  }

  value(n: Num, frame: number): number {
    if (typeof n === 'number') return n;
    const track = this.tracks[n.track];
    const i = Math.floor(frame);
    const s = frame - i;
    return s === 0 ? track[i] : track[i] + s * (track[i + 1] - track[i]);
  }

  values(list: Num[] | undefined, frame: number): number[] {
    return list ? list.map((n) => this.value(n, frame)) : [];
  }
}
