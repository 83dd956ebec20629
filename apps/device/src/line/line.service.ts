import { Injectable } from '@nestjs/common';
import type { assignAccount, listAccountNames, RouteInput, RouteReturn, unassignAccount } from '@carillon/contracts';
import { auditNote, fail, failAt } from '@carillon/service';
import { linesOfModel } from '../model/chosen-model.ts';
import {
  accountById,
  accountNames,
  deviceById,
  linesOf,
  othersWith,
  setAccounts,
  type DeviceLines,
} from './line.queries.ts';

/** Assigns SIP accounts to lines (ACC-02). Provisioning owns the accounts. */
@Injectable()
export class LineService {
  async list(deviceId: string): Promise<DeviceLines> {
    return linesOf(await deviceById(deviceId));
  }

  accounts(query: RouteInput<typeof listAccountNames>['query']): Promise<RouteReturn<typeof listAccountNames>> {
    return accountNames(query);
  }

  async assign({
    deviceId,
    accountId,
    line: wanted,
  }: RouteInput<typeof assignAccount>['body']): Promise<RouteReturn<typeof assignAccount>> {
    const device = await deviceById(deviceId, true);
    const account = await accountById(accountId);
    auditNote({ objectId: accountId, objectName: account.name, orgIds: [device.orgId] });
    if (account.closed) fail('fcs.off');
    const taken = new Set(device.accounts.map((a) => a.line));
    const most = await linesOfModel(device.model);
    if (wanted !== undefined && wanted > most) failAt('line', 'device.linesMany');
    const line = wanted ?? Array.from({ length: most }, (_, i) => i + 1).find((n) => !taken.has(n));
    if (line === undefined) return fail('device.linesFull');
    const accounts = [...device.accounts.filter((a) => a.line !== line), { line, accountId }];
    auditNote({ detail: { device: device.name, line, number: account.number } });
    await setAccounts(deviceId, accounts);
    return {
      line,
      lines: await linesOf({ ...device, accounts }),
      also: await othersWith(accountId, deviceId, line),
    };
  }

  async unassign({ deviceId, line }: RouteInput<typeof unassignAccount>['query']): Promise<DeviceLines> {
    const device = await deviceById(deviceId, true);
    const had = device.accounts.find((a) => a.line === line);
    auditNote({
      ...(had ? { objectId: had.accountId } : {}),
      objectName: device.name,
      orgIds: [device.orgId],
      detail: { device: device.name, line },
    });
    const accounts = device.accounts.filter((a) => a.line !== line);
    if (had) await setAccounts(deviceId, accounts);
    return linesOf({ ...device, accounts });
  }
}
