import type { Found, SheetRow } from './line-sheet.calls.ts';
import { keyOf, type Grid } from './line-sheet.ts';

type Account = NonNullable<SheetRow['accounts'][number]['account']>;

export type Wrong = 'beyond' | 'unknown' | 'ambiguous' | 'closed';
export interface Verdict {
  /** The line gets another account, or none. */
  change: boolean;
  accountId: string | null;
  /** The text has to be looked up first. */
  waiting?: true;
  wrong?: Wrong;
  /** Texts to choose from when several accounts have the number. */
  choices?: readonly string[];
  /** The account is on several lines of the sheet, or on a device that the sheet does not have. */
  twice?: true;
  /** Name of the account, for the reader. */
  name?: string;
}

/** Returns how a cell names an account: by its number, with the server when several accounts have it. */
export const textOf = ({ number, server, ambiguous }: Pick<Account, 'number' | 'server' | 'ambiguous'>): string =>
  ambiguous ? `${number}@${server}` : number;

const assigned = (row: SheetRow, line: number) => row.accounts.find((a) => a.line === line);

/** Returns the texts of the stored lines. An account that the user does not see has none. */
export const gridOf = (rows: readonly SheetRow[], columns: number): Grid =>
  rows.map((row) =>
    Array.from({ length: columns }, (_, at) => {
      const account = assigned(row, at + 1)?.account;
      return account ? textOf(account) : '';
    }),
  );

function judgeCell(row: SheetRow, line: number, text: string, found: Found): Verdict {
  const stored = assigned(row, line);
  const was = stored?.accountId ?? null;
  const before = stored?.account ? textOf(stored.account) : '';
  if (keyOf(text) === keyOf(before))
    return { change: false, accountId: was, ...(stored?.account ? { name: stored.account.name } : {}) };
  if (keyOf(text) === '') return { change: true, accountId: null };
  if (line > row.lines) return { change: true, accountId: null, wrong: 'beyond' };
  const accounts = found.get(keyOf(text));
  if (accounts === undefined) return { change: true, accountId: null, waiting: true };
  const [account, ...others] = accounts;
  if (account === undefined) return { change: true, accountId: null, wrong: 'unknown' };
  if (others.length > 0) {
    const choices = accounts.map((a) => `${a.number}@${a.server}`);
    return { change: true, accountId: null, wrong: 'ambiguous', choices };
  }
  const { id, name } = account;
  if (id === was) return { change: false, accountId: id, name };
  return account.closed
    ? { change: true, accountId: null, wrong: 'closed', name }
    : { change: true, accountId: id, name };
}

/** Returns what each cell means. */
export function judge(rows: readonly SheetRow[], grid: Grid, found: Found): Verdict[][] {
  const verdicts = rows.map((row, r) => grid[r]!.map((text, c) => judgeCell(row, c + 1, text, found)));
  const uses = new Map<string, number>();
  for (const { accountId } of verdicts.flat())
    if (accountId !== null) uses.set(accountId, (uses.get(accountId) ?? 0) + 1);
  const devicesBefore = new Map<string, number>();
  for (const row of rows)
    for (const id of new Set(row.accounts.map((a) => a.accountId)))
      devicesBefore.set(id, (devicesBefore.get(id) ?? 0) + 1);
  const devicesNow = new Map([...found.values()].flat().map((a) => [a.id, a.devices]));
  const elsewhere = (accountId: string): boolean =>
    (devicesNow.get(accountId) ?? 0) > (devicesBefore.get(accountId) ?? 0);
  const known = new Map<string, boolean>();
  for (const [id, count] of uses) known.set(id, count > 1 || elsewhere(id));
  return verdicts.map((cells) =>
    cells.map((verdict) =>
      verdict.accountId !== null && known.get(verdict.accountId) ? { ...verdict, twice: true as const } : verdict,
    ),
  );
}

/** Returns the texts that have to be looked up, each once. */
export function unknownTexts(rows: readonly SheetRow[], grid: Grid, found: Found): string[] {
  const texts = new Map<string, string>();
  for (const [r, row] of rows.entries())
    for (const [c, text] of grid[r]!.entries())
      if (judgeCell(row, c + 1, text, found).waiting) texts.set(keyOf(text), text.trim());
  return [...texts.values()];
}

export interface Review {
  lines: number;
  devices: number;
  wrong: number;
  twice: number;
  waiting: boolean;
}
/** Counts what a save would do. */
export function reviewOf(verdicts: readonly (readonly Verdict[])[]): Review {
  const all = verdicts.flat();
  return {
    lines: all.filter((v) => v.change).length,
    devices: verdicts.filter((cells) => cells.some((v) => v.change)).length,
    wrong: all.filter((v) => v.wrong !== undefined).length,
    twice: new Set(all.flatMap((v) => (v.change && v.twice ? [v.accountId] : []))).size,
    waiting: all.some((v) => v.waiting),
  };
}

/** Returns the changed lines of each device, as the save call takes them. */
export const saveBody = (rows: readonly SheetRow[], verdicts: readonly (readonly Verdict[])[]) => ({
  devices: rows.flatMap((row, r) => {
    const lines = verdicts[r]!.flatMap(({ change, accountId }, c) =>
      change ? [{ line: c + 1, accountId, was: assigned(row, c + 1)?.accountId ?? null }] : [],
    );
    return lines.length === 0 ? [] : [{ deviceId: row.id, lines }];
  }),
});
