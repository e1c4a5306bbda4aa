import { describe, expect, it } from 'vitest';
import type { AuditResult, CompareResult } from '../src/data';
import { auditRows, compareRows, remarks } from '../src/side_by_side';

const audit: AuditResult = {
  audits: [
    { method: 'a', refused: null, step: 0.01, order: { value: 2, uncertainty: 0.01, note: null, points: [] }, momentum: { p: { max_deviation: 1e-14 } },
      horizon: { time: 4, impacts: 2 }, truth: 'the reference', failures: ['broke'] },
    { method: 'b', refused: 'has no contacts' },
  ],
};

describe('audit', () => {
  it('has a row for what was measured, a cell for each method', () => {
    const rows = auditRows(audit);
    expect(rows.find((r) => r.name === 'order')!.cells).toEqual(['2 ± 0.01', '–']);
    expect(rows.find((r) => r.name === 'p, largest deviation')!.cells).toEqual(['1.0·10⁻¹⁴', '–'].map((c) => c.replace('1.0', '1.00')));
    expect(rows.some((r) => r.name.startsWith('penetration'))).toBe(false);
  });
  it('says what was refused, failed, and measured against', () => {
    expect(remarks(audit)).toEqual(['b: has no contacts', 'a: broke', 'Errors are measured against: the reference, up to t = start + 4 (2 impacts).']);
  });
});

it('compare shows the failed beside the good', () => {
  const result: CompareResult = { truth: null, note: 'no truth', horizon: null, methods: [{ method: 'a', refused: null, distance: 0.5 }, { method: 'b', refused: 'no' }] };
  expect(compareRows(result)).toEqual([{ name: 'distance from the reference', cells: ['0.5', '–'] }]);
  expect(remarks(result)).toEqual(['b: no', 'no truth']);
});
