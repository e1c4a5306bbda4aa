// Which rows a table shows: sorted by one column, a page at a time.

export type Cell = number | string;

// Row numbers in order of a column; numbers by size, text by alphabet, what is not a number last; ties keep the order.
export function sortedRows(column: ArrayLike<Cell>, descending: boolean): number[] {
  const rows = Array.from({ length: column.length }, (_, i) => i);
  const missing = (x: Cell) => typeof x === 'number' && Number.isNaN(x);
  const sign = descending ? -1 : 1;
  return rows.sort((a, b) => {
    const [x, y] = [column[a], column[b]];
    if (missing(x) || missing(y)) return Number(missing(x)) - Number(missing(y)) || a - b;
    const order = typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y), undefined, { numeric: true });
    return sign * order || a - b;
  });
}

export const pageCount = (rows: number, size: number) => Math.max(1, Math.ceil(rows / size));
