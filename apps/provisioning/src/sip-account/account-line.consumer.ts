import { Controller } from '@nestjs/common';
import { deviceState, type LineStatus, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { columns, currentSql, type RowOf } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { AccountLine, DeviceCopy, SipAccount } from './sip-account.entity.ts';
import { lockAccounts } from './sip-account.queries.ts';

/** From the worst to the best: an account has the worst status of its lines. */
const ranks: readonly LineStatus[] = ['failed', 'abnormal', 'unregistered', 'calling', 'registered'];

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

const marked = columns(DeviceCopy, 'd', ['id', 'secretMark']);

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
      enabled: view.enabled ?? true,
      secretMark: view.secretMark ?? null,
      accounts: view.accounts ?? [],
    }));
    await endPhonebookLinks(before);
    const accounts = await accountsOf(devices);
    if (accounts.length === 0) return;
    // Accounts before their lines, as their deletion does: otherwise the two deadlock.
    await lockAccounts('id', accounts);
    await currentSql().query('delete from account_line where device_id = any ($1::uuid[])', [devices]);
    await currentSql().query(
      `
        insert into account_line (id, company_id, account_id, device_id, line, status)
        select gen_random_uuid(), d.company_id, x."accountId", d.id, x.line, x.status
        from device_copy d
        cross join lateral jsonb_to_recordset(d.accounts) as x("accountId" uuid, line int, status text)
        where d.id = any ($1::uuid[])
      `,
      [devices],
    );
    await currentSql().query(
      `
        with worst as (
          select a.id, min(array_position($2::text[], l.status::text)) as rank
          from sip_account a
          left join account_line l on l.account_id = a.id
          where a.id = any ($1::uuid[])
          group by a.id
        )
        update sip_account a
        set status = coalesce(($2::text[])[w.rank], 'unassigned')
        from worst w
        where a.id = w.id and a.status is distinct from coalesce(($2::text[])[w.rank], 'unassigned')
      `,
      [accounts, ranks],
    );
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
