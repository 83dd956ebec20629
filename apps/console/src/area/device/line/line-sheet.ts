/** The texts of the cells, a row per device and a column per line. */
export type Grid = readonly (readonly string[])[];
export interface Cell {
  row: number;
  column: number;
}
/** A rectangle of cells: `from` is its fixed corner, `to` the one that moves. */
export interface Range {
  from: Cell;
  to: Cell;
}
interface Box {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** Returns what a text of a cell is compared by. */
export const keyOf = (text: string): string => text.trim().toLowerCase();

/** Most steps that can be undone. */
const mostSteps = 100;

export const boxOf = ({ from, to }: Range): Box => ({
  top: Math.min(from.row, to.row),
  bottom: Math.max(from.row, to.row),
  left: Math.min(from.column, to.column),
  right: Math.max(from.column, to.column),
});

/** Returns the grid with the cells that `set` gives a text; rows without a change stay the same objects. */
function changed(grid: Grid, set: (row: number, column: number) => string | undefined): Grid {
  return grid.map((cells, row) => {
    const next = cells.map((text, column) => set(row, column) ?? text);
    return next.every((text, column) => text === cells[column]) ? cells : next;
  });
}

/**
 * Returns the cells of a text from a spreadsheet: lines with tabs between cells. A cell in quotes may contain both, and
 * a quote twice. Spaces around a cell are removed.
 */
export function parseCells(text: string): string[][] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/y;
  for (let at = 0; at < text.length; at = cell.lastIndex) {
    cell.lastIndex = at;
    const [, quoted, plain, end] = cell.exec(text) ?? plainCell(text, at, cell);
    rows.at(-1)!.push((quoted?.replaceAll('""', '"') ?? plain ?? '').trim());
    if (end === '') return rows;
    if (end !== '\t') rows.push([]);
    else if (cell.lastIndex === text.length) rows.at(-1)!.push('');
  }
  return rows.at(-1)!.length === 0 ? rows.slice(0, -1) : rows;
}
/** Reads a cell that begins with a quote but is not quoted as a whole. */
function plainCell(text: string, at: number, cell: RegExp): RegExpExecArray {
  const plain = /()([^\t\r\n]*)(\t|\r\n|\n|\r|$)/y;
  plain.lastIndex = at;
  const found = plain.exec(text)!;
  cell.lastIndex = plain.lastIndex;
  return found;
}

/** Returns the cells of a rectangle as text for a spreadsheet. */
export function cellsText(grid: Grid, range: Range): string {
  const { top, bottom, left, right } = boxOf(range);
  return grid
    .slice(top, bottom + 1)
    .map((cells) => cells.slice(left, right + 1).join('\t'))
    .join('\n');
}

/**
 * Writes a block of cells from the top left corner of a rectangle. One cell fills the whole rectangle. `leftOut` counts
 * texts that have no cell, because the grid ends.
 */
export function paste(
  grid: Grid,
  range: Range,
  block: readonly (readonly string[])[],
): { grid: Grid; leftOut: number } {
  const { top, bottom, left, right } = boxOf(range);
  const [only] = block[0] ?? [];
  if (only === undefined) return { grid, leftOut: 0 };
  if (block.length === 1 && block[0]!.length === 1)
    return {
      grid: changed(grid, (row, column) =>
        row >= top && row <= bottom && column >= left && column <= right ? only : undefined,
      ),
      leftOut: 0,
    };
  const columns = grid[0]?.length ?? 0;
  const leftOut = block.flatMap((cells, row) =>
    cells.filter((text, column) => text !== '' && (top + row >= grid.length || left + column >= columns)),
  ).length;
  return { grid: changed(grid, (row, column) => block[row - top]?.[column - left]), leftOut };
}

/** Copies the first row of a rectangle to its other rows; a single row gets the row above. */
export function fillDown(grid: Grid, range: Range): Grid {
  const { top, bottom, left, right } = boxOf(range);
  const source = top === bottom ? top - 1 : top;
  const texts = grid[source];
  if (texts === undefined) return grid;
  return changed(grid, (row, column) =>
    row > source && row <= bottom && column >= left && column <= right ? texts[column] : undefined,
  );
}

/** Empties the cells of a rectangle. */
export function clear(grid: Grid, range: Range): Grid {
  const { top, bottom, left, right } = boxOf(range);
  return changed(grid, (row, column) =>
    row >= top && row <= bottom && column >= left && column <= right ? '' : undefined,
  );
}

/** The grid with the states before and after it. */
export interface History {
  past: readonly Grid[];
  now: Grid;
  future: readonly Grid[];
}
export const historyOf = (now: Grid): History => ({ past: [], now, future: [] });

/** Adds a step; a step that changes nothing is not one. */
export function step(history: History, grid: Grid): History {
  if (grid.every((cells, row) => cells === history.now[row])) return history;
  return { past: [...history.past, history.now].slice(-mostSteps), now: grid, future: [] };
}
export function undo(history: History): History {
  const before = history.past.at(-1);
  return before === undefined
    ? history
    : { past: history.past.slice(0, -1), now: before, future: [history.now, ...history.future] };
}
export function redo(history: History): History {
  const [after, ...future] = history.future;
  return after === undefined ? history : { past: [...history.past, history.now], now: after, future };
}

/** Returns the cell after a key, inside the grid. */
export function moved({ row, column }: Cell, down: number, right: number, grid: Grid): Cell {
  const within = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value));
  return { row: within(row + down, grid.length), column: within(column + right, grid[0]?.length ?? 0) };
}

/** Returns the next cell of Tab in the row; undefined at its end, where Tab leaves the grid. */
export function nextCell({ row, column }: Cell, back: boolean, grid: Grid): Cell | undefined {
  const next = column + (back ? -1 : 1);
  return grid[row]?.[next] === undefined ? undefined : { row, column: next };
}
