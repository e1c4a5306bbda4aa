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

// Whole numbers with narrow no-break spaces between thousands.
export const count = (n: number) => String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f');

export const plural = (n: number, one: string, many = one + 's') => `${count(n)} ${n === 1 ? one : many}`;

// Digits after the point that a step needs: 0.25 needs two.
function decimals(step: number): number {
  for (let d = 0; d < 9; d++) if (Math.abs(step * 10 ** d - Math.round(step * 10 ** d)) < 1e-6 * step * 10 ** d) return d;
  return 9;
}

// Labels of axis ticks: the digits that tell neighbouring ticks apart.
export function ticks(values: number[]): string[] {
  const largest = Math.max(...values.map(Math.abs));
  if (!(largest > 0)) return values.map(() => '0');
  const steps = values.slice(1).map((v, i) => Math.abs(v - values[i])).filter((s) => s > 0);
  const step = steps.length ? Math.min(...steps) : largest;
  const power = largest >= 1e5 || largest < 1e-3 ? Math.floor(Math.log10(largest) + 1e-9) : 0;
  const digits = decimals(step / 10 ** power);
  return values.map((v) => {
    if (Math.abs(v) < step * 1e-6) return '0';
    return ((v / 10 ** power).toFixed(digits) + (power ? `e${power}` : '')).replaceAll('-', '−');
  });
}

// On a logarithmic axis: powers of ten, and twice and five times them where there are few.
export function logTicks(values: (number | null)[]): string[] {
  const present = values.filter((v): v is number => v !== null && v > 0);
  const decades = Math.log10(Math.max(...present) / Math.min(...present));
  return values.map((v) => {
    if (v === null || v <= 0) return '';
    const power = Math.floor(Math.log10(v) + 1e-9);
    const lead = Math.round(v / 10 ** power);
    if (lead === 1 && Math.abs(power) > 2) return `10${raised(power)}`;
    return lead === 1 || (decades < 2 && (lead === 2 || lead === 5)) ? number(v, 2) : '';
  });
}
