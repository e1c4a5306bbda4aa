// The player: a picture, the controls below it, the keyboard, and the impacts as they come by.

import { BarScene } from './bar_scene';
import { Clock, fittingSpeed, round125 } from './clock';
import { doubles, type RunData } from './data';
import { button, h } from './dom';
import { Film, indexAt, smoothStride } from './film';
import { count, number } from './format';
import { LandscapeScene } from './landscape_scene';
import { MeshScene } from './mesh_scene';
import { download, fileName, picture, record, videoKind } from './save';
import type { Scene } from './scene';
import { Scene2d } from './scene2d';
import { css } from './theme';

const flashSeconds = 0.35;

function makeScene(data: RunData): Scene {
  if (data.continuum) return new BarScene(data.continuum);
  if (data.mesh) return new MeshScene(data.mesh);
  if (data.drawing.landscape) return new LandscapeScene(data.drawing);
  if (data.drawing.dimension === 3) {
    const space = (globalThis as { ricochetScene3d?: { Scene3d: new (shapes: RunData['drawing']['shapes']) => Scene } }).ricochetScene3d;
    try {
      if (space) return new space.Scene3d(data.drawing.shapes);
    } catch {
      // no WebGL here: the view from above is better than none
    }
  }
  return new Scene2d(data.drawing.shapes);
}

// A long run opens at its beginning, where every record is a frame; a moderately thinned one as a whole.
export function firstReel(strides: number[]): number {
  return strides.length > 1 && strides[0] > smoothStride ? 1 : 0;
}

export class Player {
  readonly clock: Clock;
  readonly element: HTMLElement;
  private films: Film[];
  private film: Film;
  private scene: Scene;
  private impacts: Float64Array; // times
  private numbers: Float64Array;
  private names: string[]; // of their contacts
  private event: string; // what they are called
  private stage: HTMLElement;
  private flash = h('div', { class: 'flash', 'aria-hidden': 'true' });
  private playButton: HTMLButtonElement;
  private slider = h('input', { type: 'range', min: 0, max: 1, step: 'any', 'aria-label': 'time' });
  private readout = h('output', { class: 'readout' });
  private impactReadout = h('span', { class: 'readout' });
  private speeds = h('select', { 'aria-label': 'speed' });
  private reels: HTMLSelectElement;
  private marks = h('canvas', { class: 'marks', 'aria-hidden': 'true' });
  private lastTime = NaN;
  private lit = 0; // seconds of flash left

  constructor(private data: RunData) {
    this.films = data.drawing.reels.map((reel) => new Film(reel));
    this.film = this.films[firstReel(this.films.map((f) => f.stride))];
    const [times, numbers] = [doubles(data.impacts.columns.time), doubles(data.impacts.columns.impact)];
    const lines = [...numbers.keys()].filter((line) => numbers[line] > 0); // others are of lasting contact
    this.impacts = Float64Array.from(lines, (line) => times[line]);
    this.numbers = Float64Array.from(lines, (line) => numbers[line]);
    this.names = lines.map((line) => data.impacts.contacts[line]);
    this.event = data.continuum || data.mesh ? 'contact' : 'impact';
    this.clock = new Clock(this.film.start, this.film.end);
    this.scene = makeScene(data);
    this.scene.setFilm(this.film);
    this.stage = h('div', { class: 'stage' }, this.scene.element, this.flash);
    this.playButton = button('▶', 'Play (space)', () => this.clock.toggle(), { class: 'play' });
    this.reels = h('select', { 'aria-label': 'part of the run', change: () => this.useFilm(this.films[this.reels.selectedIndex]) },
      ...this.films.map((f) => h('option', {}, reelName(f))));
    this.element = this.build();
    this.setSpeeds();
    this.slider.addEventListener('input', () => {
      this.clock.playing = false;
      this.clock.seek(Number(this.slider.value));
    });
    this.speeds.addEventListener('change', () => (this.clock.speed = Number(this.speeds.value)));
    this.clock.listen(() => this.show());
    document.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.resize()).observe(this.stage);
    this.useFilm(this.film);
    this.loop();
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) this.clock.toggle();
  }

  private build() {
    const follow = h('input', { type: 'checkbox', change: () => this.scene.setFollow(follow.checked) });
    follow.checked = this.scene.follows;
    this.followBox = follow;
    const jump = this.impacts.length > 0;
    return h('div', { class: 'player' },
      this.stage,
      h('div', { class: 'timeline' }, this.marks, this.slider),
      h('div', { class: 'controls' },
        h('span', { class: 'group' },
          button('|◀', 'To the start (Home)', () => this.clock.seek(this.film.start)),
          button('‹', 'One frame back (←)', () => this.step(-1)),
          this.playButton,
          button('›', 'One frame on (→)', () => this.step(1)),
          button('▶|', 'To the end (End)', () => this.clock.seek(this.film.end))),
        jump && h('span', { class: 'group' },
          button(`◀ ${this.event}`, `To the ${this.event} before (Shift ←)`, () => this.jump(-1)),
          button(`${this.event} ▶`, `To the next ${this.event} (Shift →)`, () => this.jump(1))),
        h('label', {}, 'speed ', this.speeds),
        this.films.length > 1 && h('label', {}, 'show ', this.reels),
        this.scene.canFollow && h('label', {}, follow, ' follow'),
        button('Fit', 'Show the whole picture', () => this.scene.fit()),
        h('span', { class: 'group' },
          button('Picture', 'Save this picture (PNG)', () => this.savePicture()),
          videoKind() !== null && this.videoButton)),
      h('div', { class: 'status' }, this.readout, this.impactReadout),
      h('p', { class: 'hint' }, h('span', { class: 'keys' }, `Space plays, ← → step, ${jump ? `Shift ← → jump to ${this.event}s, ` : ''}Home and End. `), this.scene.help +
        (this.data.drawing.standard && !this.data.drawing.landscape && !this.data.continuum && !this.data.mesh ? ' The scenario has no [view]: its coordinates are drawn.' : '')));
  }
  private followBox!: HTMLInputElement;

  // ---- pictures and videos ----

  private videoButton = button('Video', 'Save the motion from here on as a video; again to end it', () => this.saveVideo());
  private recording: { stop: () => void } | null = null;

  private snapshot(): HTMLCanvasElement {
    this.scene.draw(this.film.frameAt(this.clock.time)); // a canvas of WebGL is empty after its frame
    return picture(this.scene.element.tagName === 'CANVAS' ? (this.scene.element as HTMLCanvasElement) : this.scene.element.querySelector('canvas')!, css('--panel'));
  }

  private savePicture() {
    this.snapshot().toBlob((blob) => blob && download(`${fileName(this.data.scenario.title)}.png`, blob), 'image/png');
  }

  // Plays from where it is to the end, or to the next click.
  private saveVideo() {
    if (this.recording) return this.recording.stop();
    const kind = videoKind()!;
    if (this.clock.time >= this.film.end) this.clock.seek(this.film.start);
    this.recording = record(() => this.snapshot(), kind, (video) => {
      this.recording = null;
      this.videoButton.textContent = 'Video';
      download(`${fileName(this.data.scenario.title)}.${kind.includes('mp4') ? 'mp4' : 'webm'}`, video);
    });
    this.videoButton.textContent = '■ end';
    if (!this.clock.playing) this.clock.toggle();
  }

  private setSpeeds() {
    const base = fittingSpeed(this.film.end - this.film.start);
    this.clock.speed = base;
    const options = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100].map((f) => round125(base * f));
    this.speeds.replaceChildren(...options.map((s) => h('option', { value: s, selected: s === base }, `${number(s)} per s`)));
  }

  private useFilm(film: Film) {
    this.film = film;
    this.reels.selectedIndex = this.films.indexOf(film);
    this.scene.setFilm(film);
    this.followBox.checked = this.scene.follows;
    this.slider.min = String(film.start);
    this.slider.max = String(film.end);
    this.setSpeeds();
    this.clock.setRange(film.start, film.end);
    this.drawMarks();
  }

  // A time that the reel at hand does not show is looked for in the whole run.
  seek(time: number) {
    if (time < this.film.start || time > this.film.end) this.useFilm(this.films[0]);
    this.clock.pause();
    this.clock.seek(time);
  }

  private step(by: number) {
    this.clock.playing = false;
    const frame = this.film.frameAt(this.clock.time);
    const next = by > 0 ? Math.floor(frame + 1e-9) + 1 : Math.ceil(frame - 1e-9) - 1;
    this.clock.seek(this.film.times[Math.min(this.film.length - 1, Math.max(0, next))]);
  }

  jump(by: number) {
    const t = this.clock.time;
    const before = this.impacts.length && this.impacts[0] <= t ? indexAt(this.impacts, t) : -1;
    const here = before >= 0 && this.impacts[before] === t;
    const next = by > 0 ? before + 1 : here ? before - 1 : before;
    if (next < 0 || next >= this.impacts.length) return;
    this.seek(this.impacts[next]);
    this.lit = flashSeconds;
  }

  private key(event: KeyboardEvent) {
    const target = event.target as HTMLElement;
    const typing = target.closest('select, input:not([type=range]):not([type=checkbox]), textarea');
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === ' ' && target.closest('button, summary, input[type=checkbox]')) return;
    const actions: Record<string, () => void> = {
      ' ': () => this.clock.toggle(),
      ArrowLeft: () => (event.shiftKey ? this.jump(-1) : this.step(-1)),
      ArrowRight: () => (event.shiftKey ? this.jump(1) : this.step(1)),
      Home: () => this.clock.seek(this.film.start),
      End: () => this.clock.seek(this.film.end),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  private show() {
    const { time, playing } = this.clock;
    const frame = this.film.frameAt(time);
    this.scene.draw(frame);
    this.slider.value = String(time);
    const label = playing ? 'Pause (space)' : 'Play (space)';
    this.playButton.textContent = playing ? '❚❚' : '▶';
    this.playButton.title = label;
    this.playButton.setAttribute('aria-label', label);
    this.readout.textContent = `t = ${number(time, 6)}, frame ${count(Math.floor(frame) + 1)} of ${count(this.film.length)}`;
    this.showImpacts(time);
    if (this.recording && (!playing || time >= this.film.end)) this.recording.stop();
  }

  private showImpacts(time: number) {
    if (!this.impacts.length) return;
    const passed = this.impacts[0] <= time ? indexAt(this.impacts, time) + 1 : 0;
    if (this.clock.playing && passed > 0 && this.impacts[passed - 1] > this.lastTime) this.lit = flashSeconds;
    this.lastTime = time;
    const n = passed ? this.numbers[passed - 1] : 0;
    this.impactReadout.textContent = passed
      ? `${this.event} ${count(n)} of ${count(this.data.summary.impacts)}: ${this.names[passed - 1]}, t = ${number(this.impacts[passed - 1], 6)}`
      : `no ${this.event} yet, of ${count(this.data.summary.impacts)}`;
  }

  // The impacts on the timeline.
  private drawMarks() {
    const width = this.marks.clientWidth;
    const context = this.marks.getContext('2d')!;
    this.marks.width = width;
    this.marks.height = 10;
    context.fillStyle = getComputedStyle(this.marks).color;
    const span = this.film.end - this.film.start || 1;
    for (const t of this.impacts) {
      const x = 8 + ((t - this.film.start) / span) * (width - 16);
      if (x >= 0 && x <= width) context.fillRect(x - 0.75, 0, 1.5, 8);
    }
  }

  private resize() {
    this.scene.resize();
    this.drawMarks();
  }

  private loop() {
    let before = performance.now();
    const next = (now: number) => {
      const seconds = Math.min(0.1, (now - before) / 1000);
      before = now;
      this.clock.tick(seconds);
      this.lit = Math.max(0, this.lit - seconds);
      this.flash.style.opacity = String(this.lit / flashSeconds);
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  }
}

function reelName(film: Film): string {
  if (film.stride > 1) return `${film.name}, 1 record in ${count(film.stride)}`;
  return film.name === 'whole run' ? film.name : `${film.name}, ${count(film.length)} records`;
}
