import { expect, test } from 'vitest';
import {
  cellsText,
  clear,
  fillDown,
  historyOf,
  moved,
  nextCell,
  parseCells,
  paste,
  redo,
  step,
  undo,
  type Grid,
  type Range,
} from './line-sheet.ts';

const grid: Grid = [
  ['a', 'b', ''],
  ['c', '', ''],
  ['', '', 'd'],
];
const range = (top: number, left: number, bottom = top, right = left): Range => ({
  from: { row: top, column: left },
  to: { row: bottom, column: right },
});

test('text from a spreadsheet becomes cells, with quotes, every line end and empty cells', () => {
  expect(parseCells('1\t2\r\n3\t4\r\n')).toEqual([
    ['1', '2'],
    ['3', '4'],
  ]);
  expect(parseCells('1\n2\r3')).toEqual([['1'], ['2'], ['3']]);
  expect(parseCells('\t2\n\n3\t')).toEqual([['', '2'], [''], ['3', '']]);
  expect(parseCells('"a\tb"\t"say ""hi"""\n"x\ny"')).toEqual([['a\tb', 'say "hi"'], ['x\ny']]);
  expect(parseCells('"half\t2')).toEqual([['"half', '2']]);
  expect(parseCells(' 2001 \t2002')).toEqual([['2001', '2002']]);
  expect(parseCells('2001')).toEqual([['2001']]);
  expect(parseCells('')).toEqual([]);
});

test('a block is pasted from the active cell, and texts beyond the grid are counted', () => {
  expect(paste(grid, range(1, 1), [['1', '2'], ['3']])).toEqual({
    grid: [
      ['a', 'b', ''],
      ['c', '1', '2'],
      ['', '3', 'd'],
    ],
    leftOut: 0,
  });
  const beyond = paste(grid, range(2, 2), [
    ['1', '2'],
    ['3', ''],
  ]);
  expect(beyond.grid[2]).toEqual(['', '', '1']);
  expect(beyond.leftOut).toBe(2);
  // An empty cell of the block empties its cell.
  expect(paste(grid, range(0, 0), [['', 'x']]).grid[0]).toEqual(['', 'x', '']);
  expect(paste(grid, range(0, 0), [])).toEqual({ grid, leftOut: 0 });
});

test('a single cell is pasted into the whole selection, in whichever direction it was made', () => {
  const { grid: pasted } = paste(grid, range(2, 1, 1, 0), [['7']]);
  expect(pasted).toEqual([
    ['a', 'b', ''],
    ['7', '7', ''],
    ['7', '7', 'd'],
  ]);
  // A row without a change stays the same object.
  expect(pasted[0]).toBe(grid[0]);
});

test('fill down copies the first row of the selection, or the row above a single row', () => {
  expect(fillDown(grid, range(0, 0, 2, 1))).toEqual([
    ['a', 'b', ''],
    ['a', 'b', ''],
    ['a', 'b', 'd'],
  ]);
  expect(fillDown(grid, range(1, 1))[1]).toEqual(['c', 'b', '']);
  expect(fillDown(grid, range(0, 0))).toEqual(grid);
});

test('a selection is emptied, and copied as text that pastes as the same cells', () => {
  expect(clear(grid, range(0, 0, 1, 1))).toEqual([
    ['', '', ''],
    ['', '', ''],
    ['', '', 'd'],
  ]);
  expect(cellsText(grid, range(0, 0, 1, 1))).toBe('a\tb\nc\t');
  expect(parseCells(cellsText(grid, range(0, 0, 1, 1)))).toEqual([
    ['a', 'b'],
    ['c', ''],
  ]);
});

test('steps are undone and redone in order, a new step ends redo, and no change is no step', () => {
  const [one, two] = [clear(grid, range(0, 0)), clear(grid, range(0, 1))];
  let history = step(step(historyOf(grid), one), two);
  expect(step(history, clear(two, range(0, 1)))).toBe(history);
  history = undo(history);
  expect(history.now).toBe(one);
  history = undo(history);
  expect(history.now).toBe(grid);
  expect(undo(history)).toBe(history);
  history = redo(history);
  expect(history.now).toBe(one);
  history = step(history, grid);
  expect(redo(history)).toBe(history);
  for (let n = 0; n < 150; n++) history = step(history, n % 2 ? grid : one);
  expect(history.past).toHaveLength(100);
});

test('arrows stay inside the grid, and Tab moves along the row and then leaves it', () => {
  expect(moved({ row: 0, column: 0 }, -1, -1, grid)).toEqual({ row: 0, column: 0 });
  expect(moved({ row: 1, column: 1 }, 10, 1, grid)).toEqual({ row: 2, column: 2 });
  expect(nextCell({ row: 0, column: 1 }, false, grid)).toEqual({ row: 0, column: 2 });
  expect(nextCell({ row: 1, column: 1 }, true, grid)).toEqual({ row: 1, column: 0 });
  expect(nextCell({ row: 0, column: 2 }, false, grid)).toBeUndefined();
  expect(nextCell({ row: 1, column: 0 }, true, grid)).toBeUndefined();
});
