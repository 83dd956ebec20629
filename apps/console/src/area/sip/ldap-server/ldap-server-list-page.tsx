import { IconDatabaseImport, IconServer2, IconTrashX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { ldapCycles, ldapSecurities } from '@carillon/contracts/ldap';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { DeleteDialog } from '../../../kit/part/delete-dialog.tsx';
import { showToast } from '../../../kit/part/toast.ts';
import { useGranted } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import {
  deleteLdapServer,
  deleteMissing,
  listLdapServers,
  restoreLdapServers,
  syncLdapServer,
  type LdapServer,
} from './ldap-server.calls.ts';

type T = ReturnType<typeof useText>['t'];
const runs = ({ sync }: LdapServer): boolean => sync?.status === 'wait' || sync?.status === 'process';

/** Returns the result of the last sync, or the progress of the running one. */
function resultOf({ sync, missing }: LdapServer, t: T): string | null {
  if (!sync || sync.status === 'wait') return null;
  if (sync.status === 'process') return t('ldapServer.reading', { count: sync.read, number: count(sync.read) });
  if (sync.status === 'fail') return sync.msg;
  const changes = t('ldapServer.result', {
    count: sync.read,
    read: count(sync.read),
    added: count(sync.added),
    changed: count(sync.changed),
    removed: count(sync.removed),
  });
  return missing === 0 ? changes : `${changes} ${t('ldapServer.keptBack', { count: missing, number: count(missing) })}`;
}

const columnsOf = (t: T): ListColumn<typeof listLdapServers>[] => [
  { key: 'name', type: 'text', title: 'ldapServer.name', width: 160, sort: true, fixed: true, value: (s) => s.name },
  {
    key: 'enabled',
    type: 'word',
    title: 'ldapServer.enabled',
    width: 90,
    sort: true,
    words: 'enabled',
    value: (s) => (s.enabled ? 'common.yes' : 'common.no'),
  },
  {
    key: 'host',
    type: 'code',
    title: 'ldapServer.host',
    width: 170,
    sort: true,
    phone: 'sub',
    value: (s) => `${s.host}:${s.port}`,
  },
  {
    key: 'security',
    type: 'word',
    title: 'ldapServer.security',
    width: 120,
    sort: true,
    optional: true,
    value: (s) => `ldapServer.security.${s.security}`,
  },
  { key: 'base', type: 'code', title: 'ldapServer.base', width: 220, optional: true, value: (s) => s.base },
  {
    key: 'accounts',
    type: 'number',
    title: 'ldapServer.accounts',
    width: 90,
    sort: true,
    live: true,
    value: (s) => s.accounts,
    show: (s) => <Accounts server={s} n={s.accounts} />,
  },
  {
    key: 'missing',
    type: 'number',
    title: 'ldapServer.missing',
    optional: true,
    width: 110,
    live: true,
    value: (s) => s.missing,
    show: (s) => <Accounts server={s} n={s.missing} missing />,
  },
  {
    key: 'sync',
    type: 'word',
    title: 'ldapServer.lastSync',
    width: 102,
    live: true,
    phone: 'state',
    words: Object.fromEntries(
      (['none', 'wait', 'process', 'success', 'fail'] as const).map((s) => [s, t(`ldapServer.sync.${s}`)]),
    ),
    value: (s) => `ldapServer.sync.${s.sync?.status ?? 'none'}`,
  },
  {
    key: 'result',
    type: 'text',
    title: 'ldapServer.lastResult',
    width: 160,
    live: true,
    unwritten: true,
    value: (s) => resultOf(s, t),
  },
  {
    key: 'syncedAt',
    type: 'moment',
    title: 'ldapServer.syncedAt',
    value: (s) => s.sync?.endedAt ?? null,
  },
  {
    key: 'cycle',
    type: 'word',
    title: 'ldapServer.cycle',
    width: 120,
    sort: true,
    optional: true,
    value: (s) => `ldapServer.cycle.${s.cycle}`,
  },
  {
    key: 'nextSyncAt',
    type: 'moment',
    title: 'ldapServer.nextSyncAt',
    sort: true,
    optional: true,
    value: (s) => s.nextSyncAt,
  },
  { key: 'updatedAt', type: 'moment', title: 'user.updated', sort: true, optional: true, value: (s) => s.updatedAt },
];

/** Links to the server's accounts for users who may list accounts. */
function Accounts({ server, n, missing = false }: { server: LdapServer; n: number; missing?: boolean }) {
  const mayList = useGranted('/account/ldap/ldapAccount');
  if (!mayList || n === 0) return <>{count(n)}</>;
  return (
    <Link
      to="/account/ldap/ldapAccount"
      search={{ server: [server.id], ...(missing ? { missing: ['true'] } : {}) } as never}
    >
      {count(n)}
    </Link>
  );
}

/** Lists the directories that accounts are read from (ACC-04). */
export function LdapServerListPage() {
  const { t } = useText();
  return (
    <ListPage
      name="ldapServer"
      route="/_main/account/ldap/ldapServer"
      list={listLdapServers}
      service="provisioning"
      title="menu.ldapServers"
      icon={IconServer2}
      texts="ldapServer"
      columns={columnsOf(t)}
      filters={[
        {
          key: 'enabled',
          title: 'ldapServer.enabled',
          values: ['true', 'false'],
          word: (value: 'true' | 'false') => (value === 'true' ? 'common.yes' : 'common.no'),
        },
        {
          key: 'security',
          title: 'ldapServer.security',
          values: ldapSecurities,
          word: (value: (typeof ldapSecurities)[number]) => `ldapServer.security.${value}`,
        },
        {
          key: 'cycle',
          title: 'ldapServer.cycle',
          values: ldapCycles,
          word: (value: (typeof ldapCycles)[number]) => `ldapServer.cycle.${value}`,
        },
        { key: 'name', kind: 'text', title: 'ldapServer.name' },
        { key: 'host', kind: 'text', title: 'ldapServer.host' },
        { key: 'updatedAt', kind: 'moment', title: 'user.updated' },
      ]}
      label={(s) => s.name}
      phone={(s) => ({ extra: t('ldapServer.accountCount', { count: s.accounts, number: count(s.accounts) }) })}
      add={{ label: 'ldapServer.add', right: 'addLdapServer', href: '/account/ldap/addServer' }}
      drawer={{ parameter: 'ldap' }}
      edit={{ right: 'editLdapServer', href: (s) => `/account/ldap/editServer?id=${s.id}` }}
      actions={[
        {
          key: 'sync',
          label: 'ldapServer.sync',
          icon: IconDatabaseImport,
          right: 'syncLdapServer',
          when: (s) => s.enabled && s.passwordSet && !runs(s),
          dialog: ({ record, close }) => <SyncNow server={record!} onClose={close} />,
        },
        {
          key: 'deleteMissing',
          label: 'ldapServer.deleteMissing',
          icon: IconTrashX,
          right: 'syncLdapServer',
          menuOnly: true,
          danger: true,
          when: (s) => s.missing > 0,
          dialog: ({ record, close }) => <DeleteMissing server={record!} onClose={close} />,
        },
      ]}
      remove={{ right: 'deleteLdapServer', dialog: (server, close) => <Delete server={server} onClose={close} /> }}
    />
  );
}

const keys = [['ldapServer'], ['ldapAccount']] as const;

function SyncNow({ server, onClose }: { server: LdapServer; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  return (
    <AskDialog
      title={t('ldapServer.syncOne', { name: server.name })}
      text={t('ldapServer.syncText')}
      confirm={t('ldapServer.sync')}
      onClose={onClose}
      onConfirm={async () => {
        await call(syncLdapServer, { body: { id: server.id } });
        await client.invalidateQueries({ queryKey: ['ldapServer'] });
        showToast(t('ldapServer.syncBegun', { name: server.name }));
      }}
    />
  );
}

function DeleteMissing({ server, onClose }: { server: LdapServer; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const many = { count: server.missing, number: count(server.missing) };
  return (
    <AskDialog
      title={t('ldapServer.deleteMissingOf', { ...many, name: server.name })}
      text={t('ldapServer.deleteMissingText')}
      confirm={t('ldapServer.deleteMissingButton', many)}
      danger
      onClose={onClose}
      onConfirm={async () => {
        const { deleted } = await call(deleteMissing, { body: { id: server.id } });
        for (const queryKey of keys) await client.invalidateQueries({ queryKey });
        showToast(t('ldapServer.missingDeleted', { count: deleted, number: count(deleted), name: server.name }));
      }}
    />
  );
}

function Delete({ server, onClose }: { server: LdapServer; onClose: () => void }) {
  const { t } = useText();
  return (
    <DeleteDialog
      noun="ldapServer"
      name={server.name}
      text={t('ldapServer.deleteText', { count: server.accounts, number: count(server.accounts) })}
      renew={keys}
      remove={() => call(deleteLdapServer, { query: { id: server.id } })}
      restore={() => call(restoreLdapServers, { body: { ids: [server.id] } })}
      onClose={onClose}
    />
  );
}
