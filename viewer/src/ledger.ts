// The ledger as a table: a click on a heading sorts, a click on a line takes the player there.

import { doubles, type ImpactsData } from './data';
import { button, h } from './dom';
import { count, number } from './format';
import { pageCount, sortedRows, type Cell } from './table_order';

interface Column {
  title: string;
  values: ArrayLike<Cell>;
  show: (value: Cell) => string;
}

const pageSize = 25;

export function ledger(data: ImpactsData, seek: (t: number) => void): HTMLElement {
  const of = (name: string) => doubles(data.columns[name]);
  const numeric = (title: string, values: Float64Array, digits = 4): Column => ({ title, values, show: (v) => number(v as number, digits) });
  const whole = (title: string, values: Float64Array): Column => ({ title, values, show: (v) => count(v as number) });
  const text = (title: string, values: string[]): Column => ({ title, values, show: String });
  const time = of('time');
  const [before, after] = [of('energy_before'), of('energy_after')];
  const columns: Column[] = [
    whole('#', of('number')),
    whole('step', of('step')),
    numeric('time', time, 7),
    numeric('alpha', of('alpha')),
    numeric('interval', of('interval')),
    text('contacts', data.contacts),
    text('law', data.laws),
    numeric('impulse', of('impulse'), 5),
    numeric('energy before', before, 6),
    numeric('energy change', after.map((e, i) => e - before[i]), 3),
    numeric('gap', of('gap'), 3),
    numeric('restitution asked', of('requested_restitution')),
    numeric('obtained', of('obtained_restitution')),
    numeric('residual', of('residual'), 2),
    whole('iterations', of('iterations')),
    ...(data.columns.end_time ? [numeric('end', of('end_time'), 7), numeric('largest force', of('largest_force'), 5)] : []),
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
      h('th', { scope: 'col', 'aria-sort': k === by ? (descending ? 'descending' : 'ascending') : 'none' },
        button(`${c.title}${k === by ? (descending ? ' ▼' : ' ▲') : ''}`, `Sort by ${c.title}`, () => sort(k)))));
    body.replaceChildren(...order.slice(page * pageSize, (page + 1) * pageSize).map((row) =>
      h('tr', { click: () => seek(time[row]), title: 'Show this impact' }, ...columns.map((c) => h('td', {}, c.show(c.values[row]))))));
    where.textContent = `page ${count(page + 1)} of ${count(pages)}`;
  };
  show();

  const shown = order.length;
  return h('div', { class: 'ledger' },
    h('p', {}, shown < data.lines ? `Showing ${count(shown)} of ${count(data.lines)} lines, evenly chosen; ledger.csv has all.` : `${count(shown)} lines. A click on a line shows it in the player.`),
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'ledger' }, h('table', {}, h('thead', {}, head), body)),
    pages > 1 && h('div', { class: 'controls' },
      button('|◀', 'First page', () => turn(0)),
      button('‹', 'Page before', () => turn(page - 1)),
      where,
      button('›', 'Next page', () => turn(page + 1)),
      button('▶|', 'Last page', () => turn(pages - 1))));
}
