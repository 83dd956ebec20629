import { Injectable } from '@nestjs/common';
import {
  type ErrorKey,
  type findLineAccounts,
  type listLineSheet,
  type RouteInput,
  type RouteReturn,
  type saveLineSheet,
} from '@carillon/contracts';
import { errorText } from '@carillon/contracts/errors';
import { auditNote } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { lineCounts } from '../model/chosen-model.ts';
import {
  accountsNamed,
  chosenAccounts,
  devicesToWrite,
  sheetRows,
  storeAccounts,
  type LineAccounts,
} from './line-sheet.queries.ts';

type Wanted = RouteInput<typeof saveLineSheet>['body']['devices'][number];
type Result = RouteReturn<typeof saveLineSheet>['results'][number];
type Known = Awaited<ReturnType<typeof chosenAccounts>>;
interface Refused {
  error: ErrorKey;
  line?: number;
}
/** Most lines that an entry of the operation log names. */
const mostLogged = 100;

const nameOf = (lines: LineAccounts, line: number): string | null =>
  lines.find((a) => a.line === line)?.accountId ?? null;

/** Returns the first reason against the wanted lines of a device. */
function refusalOf(now: LineAccounts, most: number, lines: Wanted['lines'], known: Known): Refused | undefined {
  for (const { line, accountId, was } of lines) {
    if (nameOf(now, line) !== was) return { error: 'device.lineChanged', line };
    if (accountId === null) continue;
    if (line > most) return { error: 'device.linesMany', line };
    const account = known.get(accountId);
    if (account === undefined) return { error: 'device.accountMissing', line };
    if (account.closed && accountId !== was) return { error: 'fcs.off', line };
  }
  return undefined;
}

/** Edits the lines of many devices at once, as in a spreadsheet (ACC-02). */
@Injectable()
export class LineSheetService {
  rows({ ids = [] }: RouteInput<typeof listLineSheet>['query']): Promise<RouteReturn<typeof listLineSheet>> {
    return sheetRows(ids);
  }

  accounts({ text = [] }: RouteInput<typeof findLineAccounts>['query']): Promise<RouteReturn<typeof findLineAccounts>> {
    return accountsNamed(text);
  }

  /** Saves each device whose lines are as the caller saw them and may have the accounts; answers for every device. */
  async save({ devices }: RouteInput<typeof saveLineSheet>['body']): Promise<RouteReturn<typeof saveLineSheet>> {
    const stored = await devicesToWrite(devices.map((device) => device.deviceId));
    const known = await chosenAccounts(
      devices.flatMap((device) => device.lines.flatMap(({ accountId }) => accountId ?? [])),
    );
    const linesOf = await lineCounts();
    const written: { id: string; accounts: LineAccounts }[] = [];
    const logged: string[] = [];
    const results = devices.map(({ deviceId, lines }): Result => {
      const device = stored.get(deviceId);
      if (device === undefined) return refusedBy(deviceId, { error: 'common.notFound' });
      const refused = refusalOf(device.accounts, linesOf(device.model), lines, known);
      if (refused) return refusedBy(deviceId, refused);
      const changed = lines.filter(({ accountId, was }) => accountId !== was);
      const kept = device.accounts.filter((a) => !changed.some(({ line }) => line === a.line));
      const added = changed.flatMap(({ line, accountId }) => (accountId === null ? [] : [{ line, accountId }]));
      if (changed.length > 0)
        written.push({ id: deviceId, accounts: [...kept, ...added].sort((a, b) => a.line - b.line) });
      for (const { line, accountId } of changed)
        logged.push(`${device.name} · ${line}: ${known.get(accountId ?? '')?.number ?? '–'}`);
      return { deviceId, changed: changed.length, error: null, msg: null, line: null };
    });
    await storeAccounts(written);
    const saved = written.map(({ id }) => stored.get(id)!);
    auditNote({
      objectName: saved
        .map((device) => device.name)
        .join(', ')
        .slice(0, 256),
      orgIds: saved.map((device) => device.orgId),
      detail: { count: logged.length, lines: logged.slice(0, mostLogged) },
    });
    return { results };
  }
}

const refusedBy = (deviceId: string, { error, line }: Refused): Result => ({
  deviceId,
  changed: 0,
  error,
  msg: errorText(error, context().language, {}),
  line: line ?? null,
});
