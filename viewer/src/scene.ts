// What the player needs of a picture, plane or in space.

import type { Film } from './film';

export interface Scene {
  element: HTMLElement;
  setFilm(film: Film): void;
  draw(frame: number): void;
  resize(): void;
  fit(): void;
  setFollow(on: boolean): void;
  readonly canFollow: boolean;
  readonly follows: boolean;
  help: string;
}
