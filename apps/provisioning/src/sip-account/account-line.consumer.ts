import { Controller } from '@nestjs/common';
import { deviceState, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { columns, currentSql, type RowOf } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { configure, forgetConfigs } from '../device-config/device-config.queries.ts';
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

const marked = columns(DeviceCopy, 'd', ['id', 'model', 'secretMark']);

/** Ends the phonebook links of devices whose secret was renewed: somebody else may know what the device knew. */
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

/** Makes the configurations of devices that are new or have another model, and forgets those of deleted devices. */
async function followModels(
  messages: readonly Message<typeof deviceState>[],
  before: readonly RowOf<typeof marked>[],
): Promise<void> {
  const models = new Map(before.map(({ id, model }) => [id, model]));
  const others = messages.filter(({ key, data }) => data !== null && models.get(key) !== data.model);
  await configure(messages[0]!.companyId!, [...new Set(others.map(({ key }) => key))]);
  const gone = messages.filter(({ data }) => data === null);
  if (gone.length > 0) await forgetConfigs(gone.map(({ key }) => key));
}

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
      enabled: view.enabled ?? true,
      secretMark: view.secretMark ?? null,
      accounts: view.accounts ?? [],
    }));
    await endPhonebookLinks(before);
    await followModels(messages, before);
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
