// Numbers for people: short, and never more digits than mean something.

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const raised = (n: number) =>
  (n < 0 ? '⁻' : '') + String(Math.abs(n)).replace(/\d/g, (d) => superscripts[Number(d)]);

export function number(x: number | null | undefined, digits = 4): string {
  if (x === null || x === undefined || !Number.isFinite(x)) return '–';
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1e-3 && size < 1e6) return String(Number(x.toPrecision(digits))).replace('-', '−');
  const [mantissa, exponent] = x.toExponential(Math.min(digits, 3) - 1).split('e');
  return `${mantissa.replace('-', '−')}·10${raised(Number(exponent))}`;
}

// Whole numbers with thin spaces between thousands.
export const count = (n: number) => String(n).replace(/\B(?=(\d{3})+$)/g, '\u2009');

export const plural = (n: number, one: string, many = one + 's') => `${count(n)} ${n === 1 ? one : many}`;

// Labels of axis ticks: the digits that tell neighbouring ticks apart.
export function ticks(values: number[]): string[] {
  const largest = Math.max(...values.map(Math.abs));
  const steps = values.slice(1).map((v, i) => Math.abs(v - values[i])).filter((s) => s > 0);
  const step = steps.length ? Math.min(...steps) : largest;
  if (largest === 0) return values.map(() => '0');
  if (largest >= 1e5 || largest < 1e-3) {
    const digits = Math.max(0, Math.min(8, Math.floor(Math.log10(largest)) - Math.floor(Math.log10(step) + 1e-9)));
    return values.map((v) => {
      if (Math.abs(v) < step * 1e-6) return '0';
      const power = Math.floor(Math.log10(largest));
      return `${(v / 10 ** power).toFixed(digits).replace('-', '−')}e${power}`.replace('e-', 'e−');
    });
  }
  const decimals = Math.max(0, Math.min(8, -Math.floor(Math.log10(step) + 1e-9)));
  return values.map((v) => (Math.abs(v) < step * 1e-6 ? 0 : v).toFixed(decimals).replace('-', '−'));
}
