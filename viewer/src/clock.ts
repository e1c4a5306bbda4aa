// The time of the player: everything that shows the run listens to it, everything that is touched sets it.

export class Clock {
  time: number;
  playing = false;
  speed = 1; // units of run time a second
  private listeners: (() => void)[] = [];

  constructor(
    public start: number,
    public end: number,
  ) {
    this.time = start;
  }

  listen(listener: () => void) {
    this.listeners.push(listener);
  }

  private tell() {
    for (const listener of this.listeners) listener();
  }

  setRange(start: number, end: number) {
    this.start = start;
    this.end = end;
    this.seek(this.time);
  }

  seek(time: number) {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.tell();
  }

  toggle() {
    this.playing ? this.pause() : this.play();
  }

  play() {
    if (this.end <= this.start) return;
    if (this.time >= this.end) this.time = this.start;
    this.playing = true;
    this.tell();
  }

  pause() {
    this.playing = false;
    this.tell();
  }

  // `seconds` of real time have passed. At the end the player stops.
  tick(seconds: number) {
    if (!this.playing) return;
    const next = this.time + seconds * this.speed;
    if (next >= this.end) this.playing = false;
    this.seek(next);
  }
}

// A speed at which the run is seen in a fitting time: one unit a second if that lasts 5 to 100 seconds, else a shorter run
// in about 10 and a longer one in about 30, rounded to 1, 2 or 5.
export function fittingSpeed(duration: number): number {
  if (!(duration > 0)) return 1;
  if (duration >= 5 && duration <= 100) return 1;
  return round125(duration / (duration < 5 ? 10 : 30));
}

export function round125(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const lead = x / power;
  return Number(((lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10) * power).toPrecision(1));
}
