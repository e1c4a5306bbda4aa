// The head of the page: what it is about, and the switch between light and dark.

import { button, h } from './dom';
import { toggleTheme } from './theme';

export function header(title: string, subtitle: string): HTMLElement {
  document.title = `${title} – Ricochet`;
  return h('header', {},
    h('div', {}, h('h1', { dir: 'auto' }, title), h('p', { class: 'subtitle' }, subtitle)),
    button('◐', 'Light or dark', toggleTheme, { class: 'theme' }));
}
