import { expect, test } from 'vitest';
import { citedRows, claimsOf, pageWith, rowsOf } from './requirement-page.ts';

const page = ['| XX-01 | A list. | open |  |', '| XX-02 | MAC | colon. | whole | [x](../x) |', 'text', ''].join('\n');

test('a row is whole when a title has its plain id, a part when titles have clauses of it, else open', () => {
  const claims = [
    ...claimsOf('a/one.it.ts', "it('lists [XX-02/list] [XX-02/sort]')"),
    ...claimsOf('a/two.e2e.ts', "it('both [XX-01] [XX-02/list]')"),
  ];
  expect(pageWith(page, claims).split('\n')).toEqual([
    '| XX-01 | A list. | whole | [two.e2e.ts](../a/two.e2e.ts) |',
    '| XX-02 | MAC | colon. | part: list, sort | [one.it.ts](../a/one.it.ts), [two.e2e.ts](../a/two.e2e.ts) |',
    'text',
    '',
  ]);
  expect(pageWith(page, [])).toContain('| XX-02 | MAC | colon. | open |  |');
  expect(rowsOf(page).map(({ id }) => id)).toEqual(['XX-01', 'XX-02']);
});

test('only test titles claim a row', () => {
  const source = `
    const line = told('a.it.ts', 'a fixture [AA-01]');
    expect(found('[AA-02]')).toBe('[AA-03]');
    it.for([['a', 1], ['b', f(2)]])(
      'each %s [AA-04]', () => {});
    test.runIf(there)("a double quote [AA-05/part]", () => {});
    describe('a group [AA-06]', { tags: 'slow' }, () => {});
    commit('[AA-07]');
  `;
  expect(claimsOf('a.it.ts', source).map(({ id, part }) => [id, part])).toEqual([
    ['AA-04', undefined],
    ['AA-05', 'part'],
    ['AA-06', undefined],
  ]);
});

test('a citation names an area of the page; UTC-11, RFC numbers and dates are none', () => {
  expect(citedRows('(XX-01), YY-09; UTC-11 and ISO-88, ZZ-10', ['XX', 'YY', 'ZZ'])).toEqual([
    'XX-01',
    'YY-09',
    'ZZ-10',
  ]);
});
