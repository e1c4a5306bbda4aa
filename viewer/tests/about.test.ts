import { expect, it } from 'vitest';
import { citation } from '../src/about';

it('a title cannot break the citation', () => {
  const text = citation({ name: 'n', title: 'A {} \\title', reference: '', text: '', overrides: [] }, '1.2');
  expect(text).toContain('Scenario: A  title}');
  expect(text).toContain('version = {1.2}');
});
