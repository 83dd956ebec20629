import { provisioningAccount } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { column, columns, currentSql, platform, type Database } from '@carillon/persistence';
import { configureChanged } from '../device-config/config-due.ts';
import { SipServer } from '../sip-server/sip-server.entity.ts';
import { SipAccount } from './sip-account.entity.ts';
import { lockAccounts } from './sip-account.queries.ts';

const view = columns(SipAccount, 'a', ['id', 'companyId', 'orgId', 'name', 'number', 'version'], {
  server: column(SipServer, 's', 'name'),
  closed: column(SipServer, 's', 'closed'),
});

/** Publishes these accounts to the device service; without arguments all that the session sees. */
export async function publishAccounts({
  ids,
  serverIds,
}: { ids?: readonly string[]; serverIds?: readonly string[] } = {}): Promise<void> {
  // The server changed, not the account, but consumers still need a higher version.
  if (serverIds !== undefined) {
    await lockAccounts('server_id', serverIds);
    await currentSql().query('update sip_account set version = version + 1 where server_id = any ($1::uuid[])', [
      serverIds,
    ]);
  }
  const rows = await currentSql().rows(
    view,
    `
      select ${view}
      from sip_account a
      join sip_server s on s.id = a.server_id
      where ($1::uuid[] is null or a.id = any ($1)) and ($2::uuid[] is null or a.server_id = any ($2))
    `,
    [ids ?? null, serverIds ?? null],
  );
  if (ids !== undefined) await configureChanged('account', rows);
  await emitMany(
    provisioningAccount,
    'account',
    rows.map(({ version, ...data }) => ({
      key: data.id,
      data,
      version,
      companyId: data.companyId,
      orgId: data.orgId,
    })),
  );
}

/** Publishes all accounts again, for a new or damaged copy. */
export function republishAccounts(database: Database): Promise<void> {
  return platform(database, 'republish all SIP accounts', () => publishAccounts());
}
