import { useMemo, useState } from 'react';
import { Button } from '@mantine/core';
import {
  IconCircleCheck,
  IconCircleMinus,
  IconKey,
  IconLink,
  IconLock,
  IconBuildingSkyscraper,
  IconUnlink,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListAction, ListColumn } from '../../../kit/grid/list.types.ts';
import { lazy } from '../../../kit/part/lazy.tsx';
import { useAccess, useGranted } from '../../../kit/api/access.ts';
import { languageNames } from '../../../kit/browser/language.ts';
import { countryOptions, countryText } from '../../../kit/text/country.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { useZoneOptions } from '../../../kit/text/zone.ts';
import { CompanyState } from '../../organization/company/company-state.tsx';
import { companyTypes, isOpen } from '../../organization/company/company.calls.ts';
import { UserState } from '../../people/user/user-state.tsx';
import { addressNamesQuery } from '../channel-address/channel-address.calls.ts';
import { orderCountsQuery } from '../channel-order/channel-order.calls.ts';
import { listChannels, roomQuery, type Channel } from './channel.calls.ts';
import css from './channel-list-page.module.css';

const dialogs = () => import('./channel-dialogs.tsx');
const StatusDialog = lazy(() => dialogs().then((file) => ({ default: file.StatusDialog })));
const UnbindDialog = lazy(() => dialogs().then((file) => ({ default: file.UnbindDialog })));
const BindDialog = lazy(() => dialogs().then((file) => ({ default: file.BindDialog })));
const OfferDialog = lazy(() => dialogs().then((file) => ({ default: file.OfferDialog })));
const ChannelDrawer = lazy(() => import('./channel-drawer.tsx'));

const flags = ['licenseGranting', 'fcsEnabled', 'localSync'] as const;
const accountStatuses = ['normal', 'inactive', 'disabled', 'locked'] as const;
const statuses = ['normal', 'inactive', 'locked', 'disabled', 'deactivated'] as const;

const columnsOf = (
  zones: ReadonlyMap<string, string>,
  seesOrders: boolean,
  devices: ReadonlyMap<string, number> | undefined,
): ListColumn<typeof listChannels>[] => [
  { key: 'name', type: 'text', title: 'channel.name', sort: true, width: 200, fixed: true, value: (c) => c.name },
  {
    key: 'type',
    type: 'word',
    title: 'channel.type',
    sort: true,
    width: 140,
    phone: 'sub',
    value: (c) => `companyType.${c.type}`,
  },
  {
    key: 'status',
    type: 'word',
    title: 'channel.status',
    sort: true,
    width: 120,
    live: true,
    phone: 'state',
    value: (c) => `companyStatus.${c.status}`,
    show: (c) => <CompanyState status={c.status} />,
  },
  {
    key: 'username',
    type: 'code',
    title: 'channel.username',
    sort: true,
    width: 122,
    phone: 'extra',
    value: (c) => c.username,
  },
  {
    key: 'nickname',
    type: 'text',
    title: 'channel.nickname',
    optional: true,
    sort: true,
    width: 160,
    value: (c) => c.nickname,
  },
  { key: 'email', type: 'text', title: 'channel.email', optional: true, sort: true, width: 200, value: (c) => c.email },
  {
    key: 'address',
    type: 'text',
    title: 'channel.address',
    optional: true,
    width: 180,
    value: (c) => c.address.join(' / '),
  },
  { key: 'subs', type: 'number', title: 'channel.subs', sort: true, width: 90, live: true, value: (c) => c.subs },
  // The number of assigned order lines, for users who see orders.
  ...(seesOrders
    ? [
        {
          key: 'devices',
          type: 'number' as const,
          title: 'channelOrder.devices' as const,
          width: 100,
          unwritten: true as const,
          // Reserves the column before the numbers are loaded.
          value: (c: Channel) => (devices ? (devices.get(c.id) ?? 0) : null),
          show: (c: Channel) =>
            devices && (
              <Link to="/channel/allocatedList" search={{ company: [c.id] } as never}>
                {count(devices.get(c.id) ?? 0)}
              </Link>
            ),
        },
      ]
    : []),
  {
    key: 'createSubLimit',
    type: 'number',
    title: 'channel.createSubLimit',
    optional: true,
    sort: true,
    width: 140,
    value: (c) => c.createSubLimit,
  },
  {
    key: 'fcsLimit',
    type: 'number',
    title: 'channel.fcsLimit',
    optional: true,
    sort: true,
    width: 140,
    value: (c) => c.fcsLimit,
  },
  ...flags.map((key) => ({
    key,
    type: 'word' as const,
    title: `channel.${key}` as const,
    sort: true as const,
    width: 130,
    optional: true,
    value: (c: Channel) => (c[key] ? ('channel.on' as const) : ('channel.off' as const)),
  })),
  {
    key: 'accountStatus',
    type: 'word',
    title: 'channel.accountStatus',
    sort: true,
    width: 130,
    optional: true,
    value: (c) => `userStatus.${c.accountStatus}`,
    show: (c) => <UserState status={c.accountStatus} />,
  },
  {
    key: 'language',
    type: 'text',
    title: 'channel.language',
    width: 120,
    optional: true,
    unwritten: true,
    value: (c) => c.language && languageNames[c.language],
  },
  {
    key: 'timezoneId',
    type: 'text',
    title: 'channel.timezoneId',
    width: 200,
    optional: true,
    unwritten: true,
    value: (c) => (c.timezoneId === null ? null : (zones.get(String(c.timezoneId)) ?? null)),
  },
  {
    key: 'countryId',
    type: 'text',
    title: 'channel.countryId',
    width: 160,
    optional: true,
    unwritten: true,
    value: (c) => countryText(c.countryId),
  },
  {
    key: 'fcsUrl',
    type: 'code',
    title: 'channel.fcsUrl',
    sort: true,
    width: 220,
    optional: true,
    value: (c) => c.fcsUrl,
  },
  {
    key: 'fcsDomain',
    type: 'code',
    title: 'channel.fcsDomain',
    sort: true,
    width: 180,
    optional: true,
    value: (c) => c.fcsDomain,
  },
  {
    key: 'remarks',
    type: 'text',
    title: 'channel.remarks',
    optional: true,
    sort: true,
    width: 240,
    value: (c) => c.remarks,
  },
  { key: 'createdAt', type: 'moment', title: 'user.created', sort: true, value: (c) => c.createdAt },
  { key: 'updatedAt', type: 'moment', title: 'user.updated', sort: true, optional: true, value: (c) => c.updatedAt },
];

const unbind: ListAction<Channel> = {
  key: 'unbind',
  label: 'channel.unbind',
  icon: IconUnlink,
  right: 'unbindChannel',
  menuOnly: true,
  danger: true,
  dialog: ({ record, close }) => <UnbindDialog channel={record!} onClose={close} />,
};

/** Lists the direct child companies of the own one (CHN-01, CHN-02). */
export function ChannelListPage() {
  const { t } = useText();
  const zones = useZoneOptions();
  const addresses = useQuery(addressNamesQuery()).data ?? [];
  const below = useQuery(roomQuery()).data?.top === false;
  const seesOrders = useGranted('/channel/allocatedList');
  const given = useQuery({ ...orderCountsQuery(), enabled: seesOrders }).data?.channels;
  const columns = useMemo(
    () =>
      columnsOf(
        new Map(zones.map((z) => [z.value, z.label])),
        seesOrders,
        given && new Map(given.map((c) => [c.id, c.count])),
      ),
    [zones, seesOrders, given],
  );
  return (
    <ListPage
      name="channel"
      route="/_main/channel/boundChannelList"
      list={listChannels}
      service="org"
      title="menu.boundChannels"
      icon={IconBuildingSkyscraper}
      texts="channel"
      columns={columns}
      filters={[
        { key: 'name', kind: 'text', title: 'channel.name' },
        {
          key: 'type',
          title: 'channel.type',
          values: companyTypes,
          word: (type: Channel['type']) => `companyType.${type}`,
        },
        {
          key: 'status',
          title: 'channel.status',
          values: statuses,
          word: (status: Channel['status']) => `companyStatus.${status}`,
        },
        { key: 'username', kind: 'text', title: 'channel.username' },
        { key: 'nickname', kind: 'text', title: 'channel.nickname' },
        { key: 'email', kind: 'text', empties: true, title: 'channel.email' },
        {
          key: 'addressId',
          title: 'channel.address',
          empties: true,
          options: addresses.map((a) => ({ value: a.id, label: a.path.join(' / ') })),
        },
        { key: 'subs', kind: 'number', title: 'channel.subs' },
        { key: 'createSubLimit', kind: 'number', title: 'channel.createSubLimit' },
        { key: 'fcsLimit', kind: 'number', title: 'channel.fcsLimit' },
        ...flags.map((key) => ({
          key,
          kind: 'flag' as const,
          title: `channel.${key}` as const,
          values: ['true', 'false'],
          word: (yes: 'true' | 'false') => (yes === 'true' ? ('channel.on' as const) : ('channel.off' as const)),
        })),
        {
          key: 'accountStatus',
          title: 'channel.accountStatus',
          values: accountStatuses,
          word: (status: Channel['accountStatus']) => `userStatus.${status}`,
        },
        {
          key: 'language',
          title: 'channel.language',
          empties: true,
          options: Object.entries(languageNames).map(([value, label]) => ({ value, label })),
        },
        { key: 'timezoneId', title: 'channel.timezoneId', empties: true, options: zones.filter((z) => z.value !== '') },
        { key: 'countryId', title: 'channel.countryId', options: countryOptions(t('user.countryNone')) },
        { key: 'fcsUrl', kind: 'text', empties: true, title: 'channel.fcsUrl' },
        { key: 'fcsDomain', kind: 'text', empties: true, title: 'channel.fcsDomain' },
        { key: 'remarks', kind: 'text', empties: true, title: 'channel.remarks' },
        { key: 'createdAt', kind: 'moment', title: 'user.created' },
        { key: 'updatedAt', kind: 'moment', title: 'user.updated' },
      ]}
      label={(c) => c.name}
      strip={<RoomStrip />}
      beside={below && <BindButton />}
      add={{ label: 'channel.add', right: 'addChannel', href: '/channel/addSubAccount' }}
      edit={{ right: 'editChannel', href: (c) => `/channel/editSubAccount?id=${c.id}` }}
      actions={[
        {
          key: 'disable',
          label: 'channel.disable',
          icon: IconCircleMinus,
          right: 'disableChannel',
          menuOnly: true,
          when: isOpen,
          dialog: ({ record, close }) => <StatusDialog channel={record!} change="disable" onClose={close} />,
        },
        {
          key: 'lock',
          label: 'channel.lock',
          icon: IconLock,
          right: 'disableChannel',
          menuOnly: true,
          when: isOpen,
          dialog: ({ record, close }) => <StatusDialog channel={record!} change="lock" onClose={close} />,
        },
        {
          key: 'enable',
          label: 'channel.enable',
          icon: IconCircleCheck,
          right: 'disableChannel',
          menuOnly: true,
          when: (c) => !isOpen(c),
          dialog: ({ record, close }) => <StatusDialog channel={record!} change="enable" onClose={close} />,
        },
        ...(below ? [unbind] : []),
      ]}
      drawer={{
        parameter: 'channel',
        show: (id, { records, close }) => {
          const channel = records.find((c) => c.id === id);
          return channel && <ChannelDrawer key={id} channel={channel} onClose={close} />;
        },
      }}
    />
  );
}

/** Shows the remaining limits, and lets another company bind this one. */
function RoomStrip() {
  const { t } = useText();
  const access = useAccess();
  const room = useQuery(roomQuery()).data;
  const [asked, setAsked] = useState(false);
  return (
    <div className={css.strip}>
      <span>
        {room &&
          t('channel.room', {
            subs: count(room.subsLeft),
            subLimit: count(room.createSubLimit),
            fcs: count(room.fcsLeft),
            fcsLimit: count(room.fcsLimit),
          })}
      </span>
      {room?.top === false && access.can('offerChannel') && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconKey size={14} stroke={1.75} aria-hidden />}
          onClick={() => setAsked(true)}
        >
          {t('channel.offer')}
        </Button>
      )}
      {asked && <OfferDialog onClose={() => setAsked(false)} />}
    </div>
  );
}

function BindButton() {
  const { t } = useText();
  const access = useAccess();
  const [asked, setAsked] = useState(false);
  return (
    <>
      {access.can('bindChannel') && (
        <Button
          variant="default"
          leftSection={<IconLink size={16} stroke={1.75} aria-hidden />}
          onClick={() => setAsked(true)}
        >
          {t('channel.bind')}
        </Button>
      )}
      {asked && <BindDialog onClose={() => setAsked(false)} />}
    </>
  );
}
