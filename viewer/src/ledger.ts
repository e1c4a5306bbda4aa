// The ledger as a table: a click on a heading sorts, a click on a line takes the player there.

import { doubles, type ImpactsData } from './data';
import { button, h } from './dom';
import { count, number, plural } from './format';
import { csv, download } from './save';
import { pageCount, sortedRows, type Cell } from './table_order';

interface Column {
  title: string;
  values: ArrayLike<Cell>;
  show: (value: Cell) => string;
  kind: 'text' | 'number';
}

const pageSize = 25;

export function ledger(data: ImpactsData, seek: (t: number) => void, name = 'ledger'): HTMLElement {
  const of = (name: string) => doubles(data.columns[name]);
  const numeric = (title: string, values: Float64Array, digits = 4): Column => ({ title, values, kind: 'number', show: (v) => number(v as number, digits) });
  const whole = (title: string, values: Float64Array): Column => ({ title, values, kind: 'number', show: (v) => count(v as number) });
  const text = (title: string, values: string[]): Column => ({ title, values, kind: 'text', show: String });
  const time = of('time');
  const [before, after] = [of('energy_before'), of('energy_after')];
  const energies = [numeric('energy before', before, 6), numeric('energy change', after.map((e, i) => e - before[i]), 3)];
  const columns: Column[] = data.columns.end_time
    ? [ // an episode lasts, and its law is how the contact is treated
      whole('#', of('number')),
      numeric('begin', time, 7),
      numeric('end', of('end_time'), 7),
      text('contact', data.contacts),
      text('treatment', data.laws),
      numeric('impulse', of('impulse'), 5),
      numeric('largest force', of('largest_force'), 5),
      ...energies,
      numeric('restitution', of('obtained_restitution')),
    ]
    : [
      whole('#', of('number')),
      whole('step', of('step')),
      numeric('time', time, 7),
      numeric('alpha', of('alpha')),
      numeric('interval', of('interval')),
      text('contacts', data.contacts),
      text('law', data.laws),
      numeric('impulse', of('impulse'), 5),
      ...energies,
      numeric('gap', of('gap'), 3),
      numeric('restitution asked', of('requested_restitution')),
      numeric('obtained', of('obtained_restitution')),
      numeric('residual', of('residual'), 2),
      whole('iterations', of('iterations')),
    ];

  let by = 0;
  let descending = false;
  let page = 0;
  let order: number[] = [];
  let pages = 1;
  const head = h('tr');
  const body = h('tbody');
  const where = h('span', { class: 'readout' });

  // Lines whose contacts or law hold the words.
  const words = h('input', { type: 'search', placeholder: 'contact or law', 'aria-label': 'filter the ledger', input: () => choose() });
  const choose = () => {
    const asked = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    order = sortedRows(columns[by].values, descending).filter((row) => {
      const text = `${data.contacts[row]} ${data.laws[row]}`.toLowerCase();
      return asked.every((word) => text.includes(word));
    });
    pages = Math.max(1, pageCount(order.length, pageSize));
    page = 0;
    show();
  };
  const save = () => download(`${name}.csv`, new Blob([csv(columns.map((c) => c.title),
    order.map((row) => columns.map((c) => c.values[row] as string | number)))], { type: 'text/csv' }));

  const sort = (k: number) => {
    descending = k === by ? !descending : false;
    by = k;
    choose();
  };
  const turn = (to: number) => {
    page = Math.min(pages - 1, Math.max(0, to));
    show();
  };
  const show = () => {
    head.replaceChildren(...columns.map((c, k) =>
      h('th', { scope: 'col', class: c.kind, 'aria-sort': k === by ? (descending ? 'descending' : 'ascending') : 'none' },
        button(`${c.title}${k === by ? (descending ? ' ▼' : ' ▲') : ''}`, `Sort by ${c.title}`, () => sort(k)))));
    body.replaceChildren(...order.slice(page * pageSize, (page + 1) * pageSize).map((row) =>
      h('tr', { click: () => seek(time[row]), title: 'Show it in the player' }, ...columns.map((c) => h('td', { class: c.kind }, c.show(c.values[row]))))));
    where.textContent = words.value ? `${plural(order.length, 'line')}, page ${count(page + 1)} of ${count(pages)}` : `page ${count(page + 1)} of ${count(pages)}`;
  };
  choose();

  const shown = order.length;
  const several = pages > 1;
  return h('div', { class: 'ledger' },
    h('p', {}, shown < data.lines ? `Showing ${count(shown)} of ${count(data.lines)} lines, evenly chosen; ledger.csv has all.` : `${plural(shown, 'line')}. A click on a line shows it in the player.`),
    h('div', { class: 'controls' }, h('label', {}, 'filter ', words), button('CSV', 'Save these lines as CSV', save)),
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'ledger' }, h('table', {}, h('thead', {}, head), body)),
    several && h('div', { class: 'controls' },
      button('|◀', 'First page', () => turn(0)),
      button('‹', 'Page before', () => turn(page - 1)),
      where,
      button('›', 'Next page', () => turn(page + 1)),
      button('▶|', 'Last page', () => turn(pages - 1))));
}
