import { useMemo } from 'react';
import { Button } from '@mantine/core';
import { IconAddressBook, IconPhonePlus, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { ImportButton } from '../../../kit/import/import-button.tsx';
import { lazy } from '../../../kit/part/lazy.tsx';
import { one } from '../../../kit/browser/address.ts';
import { useAccess, useGranted } from '../../../kit/api/access.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { siteNamesQuery } from '../../device/site/site.calls.ts';
import { fcsQuery } from '../fcs/fcs.calls.ts';
import { FcsNote } from '../fcs/fcs-note.tsx';
import { sipServerNamesQuery } from '../sip-server/sip-server.calls.ts';
import { lineStatuses } from '../../device/line/line.calls.ts';
import { LineState } from '../../device/line/line-state.tsx';
import { SeveralNote } from './several-note.tsx';
import { listSipAccounts, type SipAccount } from './sip-account.calls.ts';

const AssignAccount = lazy(() => import('../../device/line/assign-account.tsx'));
const AccountMore = lazy(() => import('./account-more.tsx'));
const DeleteAccounts = lazy(() => import('./delete-accounts.tsx'));

const deviceNames = (account: SipAccount): string[] => account.devices.map((d) => `${d.device} (${d.line})`);

const columnsOf = (t: ReturnType<typeof useText>['t']): ListColumn<typeof listSipAccounts>[] => [
  { key: 'name', type: 'text', title: 'sipAccount.name', width: 160, sort: true, fixed: true, value: (a) => a.name },
  {
    key: 'status',
    type: 'word',
    title: 'sipAccount.status',
    width: 130,
    sort: true,
    live: true,
    phone: 'state',
    value: (a) => `line.${a.status}`,
    show: (a) => <LineState status={a.status} />,
  },
  {
    key: 'number',
    type: 'code',
    title: 'sipAccount.number',
    width: 110,
    sort: true,
    phone: 'sub',
    value: (a) => a.number,
  },
  {
    key: 'displayName',
    type: 'text',
    title: 'sipAccount.displayName',
    width: 116,
    sort: true,
    value: (a) => a.displayName,
  },
  {
    key: 'server',
    type: 'text',
    title: 'sipAccount.server',
    width: 120,
    sort: true,
    phone: 'extra',
    value: (a) => a.server.name,
    show: (a) => (a.closed ? t('fcs.closed', { server: a.server.name }) : a.server.name),
  },
  { key: 'site', type: 'text', title: 'sipAccount.site', width: 110, sort: true, value: (a) => a.site?.name },
  {
    key: 'devices',
    type: 'names',
    title: 'sipAccount.devices',
    width: 190,
    live: true,
    value: deviceNames,
    show: (a) =>
      a.devices.length === 0 ? (
        '–'
      ) : (
        <span className="ellipsis" title={deviceNames(a).join('\n')}>
          {a.devices.map((d, i) => (
            <span key={`${d.deviceId} ${d.line}`}>
              {i > 0 && ', '}
              <Link to="/device/deviceDetail" search={{ id: d.deviceId } as never}>
                {d.device}
              </Link>
            </span>
          ))}
        </span>
      ),
  },
  {
    key: 'lines',
    type: 'number',
    title: 'sipAccount.lines',
    width: 90,
    sort: true,
    live: true,
    optional: true,
    value: (a) => a.devices.length,
  },
  {
    key: 'authUser',
    type: 'code',
    title: 'sipAccount.authUser',
    width: 140,
    sort: true,
    optional: true,
    value: (a) => a.authUser,
  },
  {
    key: 'authPassword',
    type: 'word',
    words: { true: t('sipAccount.passwordSet'), false: t('sipAccount.passwordNone') },
    title: 'sipAccount.authPassword',
    width: 150,
    optional: true,
    value: (a) => (a.authPasswordSet ? 'sipAccount.passwordSet' : 'sipAccount.passwordNone'),
  },
  {
    key: 'proxyUser',
    type: 'code',
    title: 'sipAccount.proxyUser',
    sort: true,
    width: 140,
    optional: true,
    value: (a) => a.proxyUser,
  },
  {
    key: 'voicemailNumber',
    type: 'code',
    title: 'sipAccount.voicemailNumber',
    sort: true,
    width: 150,
    optional: true,
    value: (a) => a.voicemailNumber,
  },
  {
    key: 'updatedAt',
    type: 'moment',
    title: 'user.updated',
    sort: true,
    optional: true,
    value: (a) => a.updatedAt,
  },
];

/** Lists the accounts that lines register with (ACC-02), FCS accounts separately (ACC-03). Contains no password. */
export function SipAccountListPage() {
  const { t } = useText();
  const columns = useMemo(() => columnsOf(t), [t]);
  const address = useSearch({ from: '/_main/account/sip/sipAccount' });
  const isFcs = one(address.kind) === 'fcs';
  const fcs = useQuery(fcsQuery()).data;
  // Hidden from companies that have no FCS.
  const hasFcs = isFcs || (fcs !== undefined && (fcs.enabled || fcs.used > 0));
  const seesServers = useGranted('/account/sip/sipServer');
  const access = useAccess();
  const seesDevices = useGranted('/device/list');
  const servers = useQuery(sipServerNamesQuery()).data?.filter((s) => s.fcs === isFcs);
  const sites = useQuery({ ...siteNamesQuery(), enabled: seesDevices }).data ?? [];
  return (
    <ListPage
      name="sipAccount"
      route="/_main/account/sip/sipAccount"
      list={listSipAccounts}
      request={(asked) => ({ ...asked, fcs: [String(isFcs)] }) as never}
      {...(hasFcs
        ? {
            tabs: {
              parameter: 'kind',
              current: isFcs ? 'fcs' : 'sip',
              names: { sip: 'menu.sipAccounts', fcs: 'fcs.accounts' },
            },
          }
        : {})}
      strip={
        <>
          {isFcs && fcs && <FcsNote fcs={fcs} />}
          {!('several' in address) && <SeveralNote isFcs={isFcs} />}
        </>
      }
      service="provisioning"
      title="menu.sipAccounts"
      icon={IconAddressBook}
      texts={isFcs ? 'fcs' : 'sipAccount'}
      columns={columns}
      filters={[
        {
          key: 'status',
          title: 'sipAccount.status',
          values: lineStatuses,
          word: (value: (typeof lineStatuses)[number]) => `line.${value}`,
        },
        {
          key: 'server',
          title: isFcs ? 'fcs.server' : 'sipAccount.server',
          options: (servers ?? []).map((s) => ({ value: s.id, label: s.name })),
        },
        {
          key: 'site',
          title: 'sipAccount.site',
          options: [
            { value: 'none', label: t('device.noSite') },
            ...sites.map((s) => ({ value: s.id, label: s.path.join(' / ') })),
          ],
        },
        {
          key: 'several',
          kind: 'flag',
          title: 'sipAccount.lines',
          values: ['true', 'false'],
          word: (yes: 'true' | 'false') => `sipAccount.several.${yes}`,
        },
        { key: 'name', kind: 'text', title: 'sipAccount.name' },
        { key: 'number', kind: 'text', title: 'sipAccount.number' },
        { key: 'displayName', kind: 'text', empties: true, title: 'sipAccount.displayName' },
        { key: 'authUser', kind: 'text', empties: true, title: 'sipAccount.authUser' },
        { key: 'updatedAt', kind: 'moment', title: 'user.updated' },
      ]}
      label={(a) => a.name}
      {...(!isFcs && seesServers && access.can('addSipServer') && servers?.length === 0
        ? {
            emptyAction: (
              <Button component={Link} to="/account/sip/addSipServer" leftSection={<IconPlus size={15} stroke={2} />}>
                {t('sipServer.add')}
              </Button>
            ),
          }
        : {})}
      beside={<ImportButton noun="sipAccount" place="provisioning/import/sipAccount" right="importSipAccount" />}
      {...(isFcs && fcs?.enabled !== true
        ? {}
        : {
            add: isFcs
              ? { label: 'fcs.add', right: 'addSipAccount', href: '/account/sip/addFcsAccount' }
              : { label: 'sipAccount.add', right: 'addSipAccount', href: '/account/sip/addSipAccount' },
          })}
      drawer={{ parameter: 'account', more: (a) => <AccountMore key={a.id} account={a} /> }}
      edit={{ right: 'editSipAccount', href: (a) => `/account/sip/editSipAccount?id=${a.id}` }}
      actions={[
        {
          key: 'assign',
          label: 'sipAccount.assign',
          icon: IconPhonePlus,
          right: 'assignSipAccount',
          when: (a) => !a.closed,
          dialog: ({ record, close }) => <AssignAccount account={record!} onClose={close} />,
        },
        {
          key: 'delete',
          label: 'common.delete',
          icon: IconTrash,
          right: 'deleteSipAccount',
          menuOnly: true,
          danger: true,
          many: 'named',
          dialog: ({ record, ids, close, deselect }) => (
            <DeleteAccounts ids={ids} name={record?.name} onClose={close} onDone={deselect} />
          ),
        },
      ]}
    />
  );
}
