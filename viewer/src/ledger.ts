// The ledger as a table: a click on a heading sorts, a click on a line takes the player there.

import { doubles, type ImpactsData } from './data';
import { button, h } from './dom';
import { count, number, plural } from './format';
import { pageCount, sortedRows, type Cell } from './table_order';

interface Column {
  title: string;
  values: ArrayLike<Cell>;
  show: (value: Cell) => string;
  kind: 'text' | 'number';
}

const pageSize = 25;

export function ledger(data: ImpactsData, seek: (t: number) => void): HTMLElement {
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
  let order = sortedRows(columns[0].values, false);
  const pages = pageCount(order.length, pageSize);
  const head = h('tr');
  const body = h('tbody');
  const where = h('span', { class: 'readout' });

  const sort = (k: number) => {
    descending = k === by ? !descending : false;
    by = k;
    order = sortedRows(columns[k].values, descending);
    page = 0;
    show();
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
    where.textContent = `page ${count(page + 1)} of ${count(pages)}`;
  };
  show();

  const shown = order.length;
  return h('div', { class: 'ledger' },
    h('p', {}, shown < data.lines ? `Showing ${count(shown)} of ${count(data.lines)} lines, evenly chosen; ledger.csv has all.` : `${plural(shown, 'line')}. A click on a line shows it in the player.`),
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'ledger' }, h('table', {}, h('thead', {}, head), body)),
    pages > 1 && h('div', { class: 'controls' },
      button('|◀', 'First page', () => turn(0)),
      button('‹', 'Page before', () => turn(page - 1)),
      where,
      button('›', 'Next page', () => turn(page + 1)),
      button('▶|', 'Last page', () => turn(pages - 1))));
}
