import { importClearMark } from '@carillon/contracts/constants';
import { accountText, lineColumns } from '@carillon/contracts/device-line';
import { maxTags, namesOf, tagKey, tagValue } from '@carillon/contracts';
import type { ErrorKey } from '@carillon/contracts/errors';
import type { ImportedRow, RowError } from '@carillon/service';
import { can } from '@carillon/tenancy';
import { chosenModel } from '../model/chosen-model.ts';
import type { KnownModel } from '../model/model.queries.ts';
import { numberIn, type Account, type Names, type Stored } from './device-import.names.ts';

type Cells = ImportedRow['cells'];
export type Accounts = readonly { line: number; accountId: string }[];

/** Replaces the hash of an invalid secret, which is not kept. */
export const noSecret = 'none';

/**
 * Returns the model of a row in the spelling of the list, with its number of lines. A device may keep its current model
 * even when the list does not have it.
 */
export function modelOf(
  models: readonly KnownModel[],
  named: string | undefined,
  there: Stored | undefined,
): { name?: string; lines: number; error?: RowError } {
  const chosen = chosenModel(models, named ?? there?.model ?? '');
  if (named === undefined || named === there?.model)
    return { ...(there ? { name: there.model } : {}), lines: 'error' in chosen ? lineColumns.length : chosen.lines };
  if ('error' in chosen) return { lines: lineColumns.length, error: { field: 'model', error: chosen.error } };
  return { name: chosen.model, lines: chosen.lines };
}

/**
 * Checks the model and the server against the lines that the row does not name: their accounts stay, and belong to the
 * current server. A new device needs a server.
 */
export function placeErrors(
  cells: Cells,
  { lines, serverId }: { lines: number; serverId: string | undefined },
  there: Stored | undefined,
): RowError[] {
  if (!there) return cells['sipServer'] === undefined ? [{ field: 'sipServer', error: 'device.serverMissing' }] : [];
  const kept = there.accounts.filter(({ line }) => cells[`line${line}`] === undefined);
  const isOther = serverId !== undefined && serverId !== there.serverId;
  return [
    ...(cells['model'] !== undefined && cells['model'] !== there.model && kept.some(({ line }) => line > lines)
      ? [{ field: 'model', error: 'device.linesMany' } as const]
      : []),
    ...(isOther && kept.length > 0 ? [{ field: 'sipServer', error: 'device.accountServer' } as const] : []),
  ];
}

export function secretError(hash: string | undefined, known: string | undefined): RowError | undefined {
  if (hash === undefined) return undefined;
  if (hash === noSecret) return { field: 'secret', error: 'device.secretFormat' };
  return known === undefined || known === hash ? undefined : { field: 'secret', error: 'device.secretStays' };
}

/**
 * Returns the tags of a cell, `key: value` separated by commas. They replace the device's tags; without a cell it keeps
 * them, and the clearing mark takes all of them.
 */
export function tagsIn(text: string | undefined): { tags?: Record<string, string>; error?: RowError } {
  if (text === undefined) return {};
  if (text === importClearMark) return { tags: {} };
  const wrong = (error: ErrorKey, values?: Record<string, unknown>) => ({
    error: { field: 'tags', error, ...(values && { values }) },
  });
  const tags: Record<string, string> = {};
  for (const tag of namesOf(text)) {
    const [, key, value] = /^([^:]*):(.*)$/s.exec(tag) ?? [];
    if (key === undefined || value === undefined || value.trim() === '') return wrong('device.tagForm');
    if (!tagKey.safeParse(key).success) return wrong('device.tagKey');
    if (!tagValue.safeParse(value).success) return wrong('device.tagValue');
    if (Object.hasOwn(tags, key.trim())) return wrong('device.tagForm');
    tags[key.trim()] = value.trim();
  }
  return Object.keys(tags).length > maxTags ? wrong('device.tooManyTags', { most: maxTags, count: 1 }) : { tags };
}

/**
 * Returns the groups of a cell, which replace those that the device was added to by hand. Groups with rules follow
 * their rules: a cell may name those that the device is in, and a new device those that an exported list names. A
 * device that moves to another organization leaves the groups of the former one.
 */
export function groupsIn(
  { groups, ruled }: Pick<Names, 'groups' | 'ruled'>,
  text: string | undefined,
  orgId: string | null,
  there: Stored | undefined,
): { ids?: string[]; error?: RowError } {
  const stays = there !== undefined && there.orgId === orgId;
  if (text === undefined) return there === undefined || stays ? {} : { ids: [] };
  const ids: string[] = [];
  for (const name of text === importClearMark ? [] : namesOf(text)) {
    const found = groups.find((g) => g.orgId === orgId && g.name.toLowerCase() === name.toLowerCase());
    if (!found) return { error: { field: 'groups', error: 'import.nameMissing', values: { name: name.slice(0, 64) } } };
    const isIn = stays && there.groupIds.includes(found.id);
    if (found.rule !== null && !isIn && there !== undefined)
      return { error: { field: 'groups', error: 'deviceGroup.byRule' } };
    if (found.rule === null && !ids.includes(found.id)) ids.push(found.id);
  }
  return { ids: [...(stays ? there.groupIds.filter((id) => ruled.has(id)) : []), ...ids] };
}

/** What the cells of the lines are checked against. */
interface LinesOf {
  /** The number of lines of the model. */
  lines: number;
  /** The name of the device's SIP server after the import, and whether the import changes it. */
  server: string | undefined;
  isOtherServer: boolean;
  there: Stored | undefined;
}

/**
 * Returns the accounts of all lines after the import; a line without a cell keeps its account, and one with the
 * clearing mark loses it.
 */
export function linesIn(
  { accounts: known }: Pick<Names, 'accounts'>,
  cells: Cells,
  { lines, server, isOtherServer, there }: LinesOf,
): { accounts: Accounts; changed: string[]; errors: RowError[] } {
  const errors: RowError[] = [];
  const changed: string[] = [];
  const accounts = new Map((there?.accounts ?? []).map(({ line, accountId }) => [line, accountId]));
  for (const { line, key } of lineColumns) {
    const text = cells[key];
    if (text === undefined) continue;
    const now = accounts.get(line);
    if (text === importClearMark) {
      if (!accounts.delete(line)) continue;
      if (can('assignSipAccount')) changed.push(key);
      else errors.push({ field: key, error: 'common.forbidden', values: { permission: 'assignSipAccount' } });
      continue;
    }
    const found = accountIn(known.get(numberIn(text)) ?? [], text, server, now);
    if (typeof found === 'string') {
      errors.push({ field: key, error: found });
      continue;
    }
    accounts.set(line, found.id);
    const isNew = found.id !== now;
    // A line that keeps its account at the same server stays as it is.
    const error = isNew || isOtherServer ? lineError(found, { isNew, isThere: line <= lines, server }) : undefined;
    if (error) errors.push({ field: key, ...error });
    if (isNew) changed.push(key);
  }
  for (const key of changed) {
    const line = Number(key.slice('line'.length));
    const isTwice = [...accounts].some(([other, id]) => other !== line && id === accounts.get(line));
    if (isTwice) errors.push({ field: key, error: 'device.accountTwice' });
  }
  const all = [...accounts].map(([line, accountId]) => ({ line, accountId })).sort((a, b) => a.line - b.line);
  return { accounts: all, changed, errors };
}

/** Returns the account that a text names: a number and its server, or a number at the device's server. */
function accountIn(
  known: readonly Account[],
  text: string,
  server: string | undefined,
  now: string | undefined,
): Account | ErrorKey {
  const wanted = text.includes('@') ? text.toLowerCase() : `${text}@${server ?? ''}`.toLowerCase();
  const found = known.filter((account) => accountText(account).toLowerCase() === wanted);
  const current = found.find(({ id }) => id === now);
  if (found.length > 1 && !current) return 'import.notOne';
  return current ?? found[0] ?? 'import.notFound';
}

/** Returns why a line cannot have the account. */
function lineError(
  { closed, server: of }: Account,
  { isNew, isThere, server }: { isNew: boolean; isThere: boolean; server: string | undefined },
): { error: ErrorKey; values?: Record<string, unknown> } | undefined {
  // A wrong server of the row has an error of its own.
  if (server !== undefined && of !== server) return { error: 'device.accountServer' };
  if (!isNew) return undefined;
  if (!can('assignSipAccount')) return { error: 'common.forbidden', values: { permission: 'assignSipAccount' } };
  if (!isThere) return { error: 'device.linesMany' };
  return closed ? { error: 'fcs.off' } : undefined;
}
