import { expect, test } from 'vitest';
import { gridOf, judge, reviewOf, saveBody, unknownTexts } from './line-sheet-judge.ts';
import type { Found, SheetRow } from './line-sheet.calls.ts';

const account = (id: string, number: string, ambiguous = false) => ({
  id,
  name: `Account ${number}`,
  number,
  server: 'PBX',
  ambiguous,
});
const row = (id: string, lines: number, accounts: SheetRow['accounts'] = []): SheetRow => ({
  id,
  name: id,
  mac: '0c383e000001',
  model: 'X7A',
  lines,
  accounts,
});
const rows = [
  row('one', 5, [
    { line: 1, accountId: 'a', account: account('a', '2001') },
    { line: 2, accountId: 'hidden', account: null },
    { line: 3, accountId: 'b', account: account('b', '2002', true) },
  ]),
  row('two', 2),
];
const found: Found = new Map([
  ['2001', [{ ...account('a', '2001'), closed: false, devices: 1 }]],
  ['2003', [{ ...account('c', '2003'), closed: false, devices: 2 }]],
  ['2004', [{ ...account('d', '2004'), closed: true, devices: 0 }]],
  ['2005', [{ ...account('e', '2005'), closed: false, devices: 0 }]],
  [
    '2002',
    [
      { ...account('b', '2002', true), closed: false, devices: 1 },
      { ...account('x', '2002', true), server: 'Cloud', closed: false, devices: 0 },
    ],
  ],
  ['9999', []],
]);

test('stored lines are texts, with the server when several accounts have the number', () => {
  expect(gridOf(rows, 5)).toEqual([
    ['2001', '', '2002@PBX', '', ''],
    ['', '', '', '', ''],
  ]);
  expect(reviewOf(judge(rows, gridOf(rows, 5), found))).toEqual({
    ...{ lines: 0, devices: 0, wrong: 0, twice: 0, waiting: false },
  });
});

test('a cell is refused when its account is unknown, ambiguous, closed or beyond the model', () => {
  const [, two] = judge(rows, [gridOf(rows, 5)[0]!, ['9999', '2002', '2005', '', '']], found);
  expect(two!.map((v) => v.wrong)).toEqual(['unknown', 'ambiguous', 'beyond', undefined, undefined]);
  expect(two![1]!.choices).toEqual(['2002@PBX', '2002@Cloud']);
  const [, closed] = judge(rows, [gridOf(rows, 5)[0]!, ['2004', '', '', '', '']], found);
  expect(closed![0]).toMatchObject({ wrong: 'closed', change: true });
});

test('an account on two lines of the sheet, or on a device outside of it, is a warning', () => {
  const verdicts = judge(rows, [gridOf(rows, 5)[0]!, ['2001', '2005', '', '', '']], found);
  expect(verdicts.map((cells) => cells.map((v) => v.twice === true))).toEqual([
    [true, false, false, false, false],
    [true, false, false, false, false],
  ]);
  const [, outside] = judge(rows, [gridOf(rows, 5)[0]!, ['2003', '', '', '', '']], found);
  expect(outside![0]).toMatchObject({ twice: true, accountId: 'c' });
  expect(outside![0]!.wrong).toBeUndefined();
});

test('the review counts lines and devices, and the call has only changed lines with what they were', () => {
  const grid = [
    ['', '', '2002@PBX', '2005', ''],
    ['2001 ', '', '', '', ''],
  ];
  const verdicts = judge(rows, grid, found);
  expect(reviewOf(verdicts)).toEqual({ lines: 3, devices: 2, wrong: 0, twice: 0, waiting: false });
  expect(saveBody(rows, verdicts)).toEqual({
    devices: [
      {
        deviceId: 'one',
        lines: [
          { line: 1, accountId: null, was: 'a' },
          { line: 4, accountId: 'e', was: null },
        ],
      },
      { deviceId: 'two', lines: [{ line: 1, accountId: 'a', was: null }] },
    ],
  });
});

test('an account on several changed lines is counted once', () => {
  const grid = [gridOf(rows, 5)[0]!.with(3, '2005'), ['2005', '2003', '', '', '']];
  expect(reviewOf(judge(rows, grid, found))).toMatchObject({ lines: 3, twice: 2 });
});

test('only new texts are looked up, each once in any letter case', () => {
  const grid = [
    ['2001', 'new', '2002@PBX', 'NEW ', '2005'],
    ['3001', '3002@Pbx', '3003', '', ''],
  ];
  // A line beyond the model is refused without a look-up.
  expect(unknownTexts(rows, grid, found)).toEqual(['NEW', '3001', '3002@Pbx']);
  expect(reviewOf(judge(rows, grid, found))).toMatchObject({ waiting: true });
});
