import { expect, test } from 'vitest';
import { citedRows, claimsOf, pageWith, rowsOf } from './requirement-page.ts';

const page = ['| DEV-01 | A list. | open |  |', '| DEV-02 | MAC | colon. | whole | [x](../x) |', 'text', ''].join('\n');

test('a row is whole when a title has its plain id, a part when titles have clauses of it, else open', () => {
  const claims = [
    ...claimsOf('a/one.it.ts', "it('lists [DEV-02/list] [DEV-02/sort]')"),
    ...claimsOf('a/two.e2e.ts', "it('both [DEV-01] [DEV-02/list]')"),
  ];
  expect(pageWith(page, claims).split('\n')).toEqual([
    '| DEV-01 | A list. | whole | [two.e2e.ts](../a/two.e2e.ts) |',
    '| DEV-02 | MAC | colon. | part: list, sort | [one.it.ts](../a/one.it.ts), [two.e2e.ts](../a/two.e2e.ts) |',
    'text',
    '',
  ]);
  expect(pageWith(page, [])).toContain('| DEV-02 | MAC | colon. | open |  |');
  expect(rowsOf(page).map(({ id }) => id)).toEqual(['DEV-01', 'DEV-02']);
});

test('a citation is of an area that the page has; UTC-11, RFC and dates are none', () => {
  expect(citedRows('(DEV-01), TASK-09; UTC-11 and ISO-88, GW-10', ['DEV', 'TASK', 'GW'])).toEqual([
    'DEV-01',
    'TASK-09',
    'GW-10',
  ]);
});
