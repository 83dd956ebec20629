import type { RouteOutput } from '@carillon/contracts';
import { sheetDevices, sheetPart } from '@carillon/contracts/constants';
import { call, remote } from '../../../kit/api/call.ts';
import { listDevices, type DeviceFilter, type DeviceQuery } from '../record/device.calls.ts';
import type { Target } from '../../../kit/grid/selection.ts';
import { keyOf } from './line-sheet.ts';

const listLineSheet = remote('listLineSheet', 'GET /api/f/device/line/sheet');
const findLineAccounts = remote('findLineAccounts', 'GET /api/f/device/line/sheet/account');
export const saveLineSheet = remote('saveLineSheet', 'PUT /api/f/device/line/sheet');

export type SheetRow = RouteOutput<typeof listLineSheet>[number];
type FoundAccount = RouteOutput<typeof findLineAccounts>[number]['accounts'][number];
/** Accounts by the text of a cell, in lower case. A text that was not looked up yet has none. */
export type Found = ReadonlyMap<string, readonly FoundAccount[]>;
export type SheetResult = RouteOutput<typeof saveLineSheet>['results'][number];

/** Characters of the texts of one call, so that its address stays short. */
const mostCharacters = 3_000;

const inParts = <T>(all: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, n) => all.slice(n * most, (n + 1) * most));

async function idsOf(target: Target<DeviceFilter>, signal: AbortSignal): Promise<string[]> {
  if ('ids' in target) return target.ids;
  const left = new Set(target.exclude);
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const query = { ...target.filter, sort: 'name', limit: 200, page } as DeviceQuery;
    const { records } = await call(listDevices, { query }, { signal });
    ids.push(...records.map((device) => device.id).filter((id) => !left.has(id)));
    if (records.length < 200 || ids.length > sheetDevices) return ids.slice(0, sheetDevices);
  }
}

/** Reads rows by id, a part at a time. */
export async function rowsById(
  ids: readonly string[],
  signal?: AbortSignal,
  onRows: (count: number) => void = () => undefined,
): Promise<SheetRow[]> {
  const rows: SheetRow[] = [];
  for (const some of inParts(ids, sheetPart)) {
    rows.push(...(await call(listLineSheet, { query: { ids: some } }, signal ? { signal } : {})));
    onRows(rows.length);
  }
  return rows;
}

/** Reads the rows of the selected devices, by name; `onRows` is told how many there are so far. */
export async function sheetRows(
  target: Target<DeviceFilter>,
  signal: AbortSignal,
  onRows: (count: number) => void,
): Promise<SheetRow[]> {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  return (await rowsById(await idsOf(target, signal), signal, onRows)).sort((a, b) => compare(a.name, b.name));
}

/** Finds the accounts of texts, in calls of a bounded length. */
export async function accountsOf(texts: readonly string[], signal: AbortSignal): Promise<Found> {
  const parts: string[][] = [[]];
  let characters = 0;
  for (const text of texts) {
    characters += encodeURIComponent(text).length + 6;
    if (characters > mostCharacters || parts.at(-1)!.length >= sheetPart) {
      parts.push([]);
      characters = 0;
    }
    parts.at(-1)!.push(text);
  }
  const found = new Map<string, readonly FoundAccount[]>();
  for (const text of parts.filter((some) => some.length > 0))
    for (const one of await call(findLineAccounts, { query: { text } }, { signal }))
      found.set(keyOf(one.text), one.accounts);
  return found;
}
