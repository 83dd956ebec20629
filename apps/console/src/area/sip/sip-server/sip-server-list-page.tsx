import { IconServer2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { sipTransports } from '@carillon/contracts/sip';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { ImportButton } from '../../../kit/import/import-button.tsx';
import { DeleteDialog } from '../../../kit/part/delete-dialog.tsx';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deleteSipServer, listSipServers, restoreSipServers, type SipServer } from './sip-server.calls.ts';

const place = (address: string | null, port: number | null): string | null =>
  address === null ? null : port === null ? address : `${address}:${port}`;

const columns: ListColumn<typeof listSipServers>[] = [
  { key: 'name', type: 'text', title: 'sipServer.name', width: 200, sort: true, fixed: true, value: (s) => s.name },
  {
    key: 'address',
    type: 'code',
    title: 'sipServer.address',
    width: 216,
    sort: true,
    phone: 'sub',
    value: (s) => s.address,
  },
  { key: 'port', type: 'code', title: 'sipServer.port', width: 80, sort: true, value: (s) => String(s.port) },
  {
    key: 'transport',
    type: 'word',
    title: 'sipServer.transport',
    width: 110,
    sort: true,
    phone: 'state',
    value: (s) => `sipServer.transport.${s.transport}`,
  },
  {
    key: 'domain',
    type: 'code',
    title: 'sipServer.domain',
    sort: true,
    width: 180,
    optional: true,
    value: (s) => s.domain,
  },
  {
    key: 'proxy',
    type: 'code',
    title: 'sipServer.proxy',
    optional: true,
    sort: true,
    width: 200,
    value: (s) => place(s.proxyAddress, s.proxyPort),
  },
  {
    key: 'backup',
    type: 'code',
    title: 'sipServer.backup',
    sort: true,
    width: 200,
    optional: true,
    value: (s) => place(s.backupAddress, s.backupPort),
  },
  {
    key: 'accounts',
    type: 'number',
    title: 'sipServer.accounts',
    width: 110,
    sort: true,
    live: true,
    value: (s) => s.accounts,
    show: (s) => (
      <Link to="/account/sip/sipAccount" search={{ server: [s.id] } as never}>
        {count(s.accounts)}
      </Link>
    ),
  },
  {
    key: 'assigned',
    type: 'number',
    title: 'sipServer.assigned',
    width: 110,
    sort: true,
    live: true,
    value: (s) => s.assigned,
  },
  {
    key: 'unassigned',
    type: 'number',
    title: 'sipServer.unassigned',
    width: 110,
    sort: true,
    live: true,
    value: (s) => s.unassigned,
    show: (s) => (
      <Link to="/account/sip/sipAccount" search={{ server: [s.id], status: ['unassigned'] } as never}>
        {count(s.unassigned)}
      </Link>
    ),
  },
  {
    key: 'updatedAt',
    type: 'moment',
    title: 'user.updated',
    sort: true,
    optional: true,
    value: (s) => s.updatedAt,
  },
];

/** Lists the servers that lines register with (ACC-01). */
export function SipServerListPage() {
  const { t } = useText();
  return (
    <ListPage
      name="sipServer"
      route="/_main/account/sip/sipServer"
      list={listSipServers}
      service="provisioning"
      title="menu.sipServers"
      icon={IconServer2}
      texts="sipServer"
      columns={columns}
      filters={[
        {
          key: 'transport',
          title: 'sipServer.transport',
          values: sipTransports,
          word: (value: (typeof sipTransports)[number]) => `sipServer.transport.${value}`,
        },
        { key: 'name', kind: 'text', title: 'sipServer.name' },
        { key: 'address', kind: 'text', title: 'sipServer.address' },
        { key: 'domain', kind: 'text', empties: true, title: 'sipServer.domain' },
        { key: 'updatedAt', kind: 'moment', title: 'user.updated' },
      ]}
      label={(s) => s.name}
      phone={(s) => ({ extra: t('sipServer.accountCount', { count: s.accounts, number: count(s.accounts) }) })}
      beside={<ImportButton noun="sipServer" place="provisioning/import/sipServer" right="importSipServer" />}
      add={{ label: 'sipServer.add', right: 'addSipServer', href: '/account/sip/addSipServer' }}
      drawer={{ parameter: 'server' }}
      edit={{ right: 'editSipServer', href: (s) => `/account/sip/editSipServer?id=${s.id}` }}
      remove={{ right: 'deleteSipServer', dialog: (server, close) => <Delete server={server} onClose={close} /> }}
    />
  );
}

function Delete({ server, onClose }: { server: SipServer; onClose: () => void }) {
  const { t } = useText();
  /** Says how many accounts use the server, or how many devices. */
  const usersOf = ({ accounts, devices }: SipServer) =>
    accounts > 0
      ? t('sipServer.deleteUsed', { count: accounts, number: count(accounts) })
      : devices > 0
        ? t('sipServer.deleteChosen', { count: devices, number: count(devices) })
        : undefined;
  return (
    <DeleteDialog
      noun="sipServer"
      name={server.name}
      text={t('sipServer.deleteText')}
      stays={usersOf(server)}
      remove={() => call(deleteSipServer, { query: { id: server.id } })}
      restore={() => call(restoreSipServers, { body: { ids: [server.id] } })}
      onClose={onClose}
    />
  );
}
