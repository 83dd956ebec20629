import type { addDevice, RouteInput } from '@carillon/contracts';
import { columns, currentSql } from '@carillon/persistence';
import { fail, failAt } from '@carillon/service';
import { can } from '@carillon/tenancy';
import { accountsById, serverById } from '../line/line.queries.ts';
import { chosenModel, linesOfModel } from '../model/chosen-model.ts';
import { knownModels } from '../model/model.queries.ts';
import { SiteCopy } from '../site/site.projection.ts';

type Facts = Omit<RouteInput<typeof addDevice>['body'], 'mac' | 'orgId'>;
type Accounts = readonly { line: number; accountId: string }[];
/** The requested data of a device: all of it for a new one, only changes for an existing one. */
export type Wanted = Partial<Facts>;
/** Current data that requested data is checked against. */
export interface Now {
  model: string;
  serverId: string | null;
  accounts: Accounts;
}

const site = columns(SiteCopy, 's', ['id', 'name']);

export async function siteById(id: string) {
  return (await currentSql().rows(site, `select ${site} from site_copy s where s.id = $1`, [id]))[0];
}

/** Returns the model in the spelling of the list, with its number of lines. */
async function settleModel(model: string, series: string | undefined) {
  const chosen = chosenModel(await knownModels(), model, series);
  return 'error' in chosen ? failAt(chosen.field, chosen.error) : chosen;
}

/** Checks that the caller sees each account, and that it belongs to the device's server. */
async function checkAccounts(accounts: Accounts, given: boolean, server: { name: string } | undefined): Promise<void> {
  if (accounts.length === 0) return;
  if (given && server === undefined) failAt('serverId', 'device.serverMissing');
  const known = await accountsById(accounts.map((a) => a.accountId));
  for (const { accountId } of accounts) {
    const account = known.get(accountId);
    // An existing account may belong to an organization that the caller does not see.
    if (account === undefined && given) failAt('lines', 'device.accountMissing');
    if (account && server && account.server !== server.name) failAt('lines', 'device.accountServer');
  }
}

/** Returns the requested data in its stored form. Fails at the first invalid field (DEV-02). */
export async function settleFacts(wanted: Wanted, now?: Now) {
  const { series, lines, siteId, serverId } = wanted;
  if (lines !== undefined && !can('assignSipAccount')) fail('common.forbidden', { permission: 'assignSipAccount' });
  const chosen = wanted.model === undefined ? undefined : await settleModel(wanted.model, series);
  if (siteId !== undefined && !(await siteById(siteId))) failAt('siteId', 'device.siteMissing');
  const server = await serverFor(serverId, now);
  const accounts: Accounts = lines ?? now?.accounts ?? [];
  if (lines !== undefined || chosen !== undefined) {
    const most = chosen?.lines ?? (await linesOfModel(now!.model));
    if (accounts.some((a) => a.line > most)) failAt('lines', 'device.linesMany');
  }
  if (lines !== undefined || serverId !== undefined) await checkAccounts(accounts, lines !== undefined, server);
  return {
    ...(wanted.name === undefined ? {} : { name: wanted.name }),
    ...(wanted.sn === undefined ? {} : { sn: wanted.sn }),
    ...(chosen === undefined ? {} : { model: chosen.model }),
    ...(siteId === undefined ? {} : { siteId }),
    ...(serverId === undefined ? {} : { serverId }),
    ...(lines === undefined ? {} : { accounts: lines.toSorted((a, b) => a.line - b.line) }),
  };
}

/** Returns the named server, else the current one. Fails when the named one does not exist. */
export async function serverFor(named: string | undefined, now?: Now) {
  const id = named ?? now?.serverId;
  const server = id ? await serverById(id) : undefined;
  if (named !== undefined && server === undefined) failAt('serverId', 'device.serverMissing');
  return server;
}
