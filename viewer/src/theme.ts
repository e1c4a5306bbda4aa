// Light and dark, and the colours of curves: those of Okabe and Ito, which people with colour blindness tell apart.
// Black and yellow are replaced where they would vanish on the background.

const light = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00', '#4d4d4d', '#9a8a00'];
const dark = ['#56b4e9', '#e69f00', '#2fbf94', '#e29ac4', '#4a9fe0', '#ff8f4d', '#d0d0d0', '#f0e442'];

export const isDark = () =>
  (document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) ===
  'dark';

export const palette = (k: number) => (isDark() ? dark : light)[k % light.length];

export const css = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// An event of the document, not a list here: the scripts of 3D scenes have their own copy of this file.
const changed = 'ricochet-theme';
export const onTheme = (listener: () => void) => document.addEventListener(changed, listener);
const tell = () => document.dispatchEvent(new Event(changed));

export function toggleTheme() {
  document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
  tell();
}

export function watchSystemTheme() {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tell);
}
