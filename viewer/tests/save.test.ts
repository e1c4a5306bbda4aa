import { expect, test } from 'vitest';
import { csv, fileName } from '../src/save';

test('a title becomes the name of a file', () => {
  expect(fileName('Ball </script> on a "floor"!')).toBe('ball-script-on-a-floor');
  expect(fileName('***')).toBe('ricochet');
});

test('CSV by RFC 4180, and no formula of a spreadsheet', () => {
  expect(csv(['a', 'b'], [['x,y', 1.5], ['=1+1', NaN], ['say "no"', 2]])).toBe('a,b\n"x,y",1.5\n\'=1+1,\n"say ""no""",2\n');
});
