import { expect, it } from 'vitest';
import { citation, shortSetting } from '../src/about';

it('a title cannot break the citation', () => {
  const text = citation({ name: 'n', title: 'A {} \\title', reference: '', text: '', overrides: [] }, '1.2');
  expect(text).toContain('Scenario: A  title}');
  expect(text).toContain('version = {1.2}');
});

it('a long setting is shortened, a short one is not', () => {
  expect(shortSetting('a=1')).toBe('a=1');
  expect(shortSetting('x'.repeat(1000)).length).toBeLessThanOrEqual(90);
});
