import { Controller } from '@nestjs/common';
import { deviceState, type DeviceView, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { columns, currentSql, type RowOf } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { recordReported } from '../config-period/config-period.record.ts';
import { configureDevices } from '../device-config/config-due.ts';
import { endDisabled } from '../phone-session/phone-session.queries.ts';
import { followRedirects } from '../redirect-service/redirect-follow.ts';
import { storeLines, storeStatuses } from './account-line.queries.ts';
import { AccountLine, DeviceCopy, SipAccount } from './sip-account.entity.ts';
import { lockAccounts } from './sip-account.queries.ts';

const had = columns(AccountLine, 'l', ['accountId']);
const has = columns(DeviceCopy, 'd', ['accounts']);
const account = columns(SipAccount, 'a', ['id', 'companyId', 'orgId']);

/** Returns the ids of the accounts that lines of the devices had before this batch, or have now. */
async function accountsOf(devices: readonly string[]): Promise<string[]> {
  const before = await currentSql().rows(
    had,
    `select ${had} from account_line l where l.device_id = any ($1::uuid[])`,
    [devices],
  );
  const now = await currentSql().rows(has, `select ${has} from device_copy d where d.id = any ($1::uuid[])`, [devices]);
  return [
    ...new Set([...before.map((line) => line.accountId), ...now.flatMap((d) => d.accounts.map((a) => a.accountId))]),
  ];
}

const marked = columns(DeviceCopy, 'd', [
  'id',
  'mac',
  'model',
  'orgId',
  'siteId',
  'groupIds',
  'accounts',
  'secretMark',
]);
type Decisive = Pick<DeviceView, 'mac' | 'model' | 'orgId' | 'siteId' | 'groupIds' | 'accounts'>;

/** Ends the phonebook links of devices whose secret was renewed: someone else may know what the device knew. */
async function endPhonebookLinks(before: readonly RowOf<typeof marked>[]): Promise<void> {
  await currentSql().query(
    `
      update phonebook_link l
      set version = -l.version, loaded_at = null
      from device_copy d
      join jsonb_to_recordset($1::jsonb) as b(id uuid, "secretMark" text) on b.id = d.id
      where l.id = d.id and l.version > 0 and d.secret_mark <> b."secretMark"
    `,
    [JSON.stringify(before)],
  );
}

/** What decides about a device's configuration, as a comparable text. */
const decides = ({ mac, model, orgId, siteId, groupIds, accounts }: Decisive): string =>
  JSON.stringify([mac, model, orgId, siteId ?? null, [...(groupIds ?? [])].sort(), lineAccounts(accounts ?? [])]);
const lineAccounts = (accounts: readonly { line: number; accountId: string }[]): string[] =>
  accounts.map(({ line, accountId }) => `${line} ${accountId}`).sort();

/** Has the configurations of devices made again that are new, placed elsewhere or deleted, and redirect services told. */
async function followDevices(
  messages: readonly Message<typeof deviceState>[],
  before: readonly RowOf<typeof marked>[],
): Promise<void> {
  const was = new Map(before.map((device) => [device.id, decides(device)]));
  const others = messages.filter(({ key, data }) => data === null || was.get(key) !== decides(data));
  await configureDevices(
    messages[0]!.companyId!,
    others.map(({ key }) => key),
  );
  const former = new Map(before.map((device) => [device.id, device]));
  const changed = messages.filter(({ key, data }) => data === null || !isSameForRedirects(former.get(key), data));
  await followRedirects(
    messages[0]!.companyId!,
    changed.map(({ key }) => key),
  );
}

/** Returns whether nothing changed that redirect services and their page know of a device. */
const isSameForRedirects = (was: Decisive | undefined, is: Decisive): boolean =>
  was !== undefined && was.mac === is.mac && was.model === is.model && was.orgId === is.orgId;

/** Stores which lines have an account and how they are registered, from the events of the device service. */
@Controller()
export class AccountLineConsumer {
  @On(deviceState, ['device'])
  async device(messages: Message<typeof deviceState>[]): Promise<void> {
    const devices = [...new Set(messages.map((m) => m.key))];
    const before = await currentSql().rows(marked, `select ${marked} from device_copy d where d.id = any ($1)`, [
      devices,
    ]);
    await project(DeviceCopy, messages, (view, { companyId }) => ({
      companyId: companyId!,
      orgId: view.orgId,
      name: view.name,
      mac: view.mac,
      model: view.model,
      ownerEpoch: view.ownerEpoch,
      siteId: view.siteId ?? null,
      serverId: view.serverId ?? null,
      groupIds: view.groupIds ?? [],
      enabled: view.enabled ?? true,
      secretMark: view.secretMark ?? null,
      accounts: view.accounts ?? [],
    }));
    await endPhonebookLinks(before);
    await endDisabled(devices);
    await followDevices(messages, before);
    await recordReported(messages);
    const accounts = await accountsOf(devices);
    if (accounts.length === 0) return;
    // Accounts before their lines, as their deletion does: otherwise the two deadlock.
    await lockAccounts('id', accounts);
    await storeLines(devices);
    await storeStatuses(accounts);
    // The account's devices may have changed although its status has not.
    const shown = await currentSql().rows(
      account,
      `select ${account} from sip_account a where a.id = any ($1::uuid[])`,
      [accounts],
    );
    if (shown.length > 0)
      await emitLive(
        shown[0]!.companyId,
        'sipAccount',
        shown.map((a) => a.id),
        shown.map((a) => a.orgId),
      );
  }
}
