import { expect, it } from 'vitest';
import type { SolutionData } from '../src/data';
import { multiplierTable, sensitivityTable, solutionTables } from '../src/solution';

const solution: SolutionData = {
  status: 'solved', message: '', iterations: 1, residual: 1e-15,
  unknowns: { 'velocity.x': 1.95413196189 }, guess: { 'velocity.x': 2 },
  conditions: { 'x - 0.4': 1e-14 }, verified: { 'x - 0.4': null },
  history: [{ residual: 0.1, damping: 1, share: 1, unknowns: [2] }, { residual: 1e-15, damping: 0.5, share: 1, unknowns: [1.954131961894] }],
};

it('shows guess and solution of each unknown with the digits that it has', () => {
  expect(solutionTables(solution)[0].rows).toEqual([['velocity.x', '2', '1.95413196189']]);
});

it('a condition that the run cannot tell is a dash', () => {
  expect(solutionTables(solution)[1].rows[0][2]).toBe('–');
});

it('the share of the way is a column only where there was one', () => {
  expect(solutionTables(solution)[2].head).toEqual(['step', 'residual', 'damping', 'velocity.x']);
  const led = { ...solution, history: [{ ...solution.history[0], share: 0.5 }] };
  expect(solutionTables(led)[2].head).toContain('share of the way');
});

it('multipliers are complex numbers with their size', () => {
  expect(multiplierTable([[0.3, -0.4], [-1, 0]]).rows).toEqual([['0.3 − 0.4 i', '0.5'], ['−1', '1']]);
});

it('derivatives: outputs across, unknowns down, none is a dash', () => {
  const table = sensitivityTable({ 'position.x': { g: 1, e: null } });
  expect(table.head).toEqual(['by', 'position.x']);
  expect(table.rows).toEqual([['g', '1'], ['e', '–']]);
});

it('optimal control: what it costs and when it strikes; no table of unknowns where there are none', () => {
  const control: SolutionData = {
    ...solution, unknowns: {}, guess: {}, cost: 11.5, times: [0.6, 1.2], impacts: ['floor'], mismatch: 1e-12, multipliers: { 'x - 1': -4 },
    candidates: [{ impacts: 'floor', cost: 11.5 }, { impacts: 'no impact', cost: null }],
  };
  const tables = solutionTables(control);
  expect(tables.map((t) => t.title)).toEqual(['What was found', 'Sequences tried', 'Conditions', 'Iterations']);
  expect(tables[0].rows).toEqual([
    ['cost', '11.5'], ['time of impact 1, floor', '0.6'], ['end', '1.2'], ['integrated again', 'differs by 1.00·10⁻¹²'], ['multiplier of x - 1', '−4'],
  ]);
  expect(tables[1].rows[1]).toEqual(['no impact', 'not solved']);
});
