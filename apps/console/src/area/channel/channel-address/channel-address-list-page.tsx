import { IconWorld } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { DeleteDialog } from '../../../kit/part/delete-dialog.tsx';
import { lazy } from '../../../kit/part/lazy.tsx';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import {
  deleteChannelAddress,
  listChannelAddresses,
  restoreChannelAddresses,
  type ChannelAddress,
} from './channel-address.calls.ts';

const ChannelAddressDialog = lazy(() => import('./channel-address-dialog.tsx'));

const columns: ListColumn<typeof listChannelAddresses>[] = [
  {
    key: 'name',
    type: 'text',
    title: 'channelAddress.name',
    sort: true,
    width: 280,
    fixed: true,
    value: (a) => a.path.join(' / '),
    show: (a) => (
      <span style={{ paddingInlineStart: (a.path.length - 1) * 18 }} title={a.path.join(' / ')}>
        {a.name}
      </span>
    ),
  },
  {
    key: 'channels',
    type: 'number',
    title: 'channelAddress.channels',
    sort: true,
    width: 110,
    live: true,
    value: (a) => a.channels,
    show: (a) => (
      <Link to="/channel/boundChannelList" search={{ addressId: [a.id] } as never}>
        {count(a.channels)}
      </Link>
    ),
  },
  {
    key: 'description',
    type: 'text',
    title: 'channelAddress.description',
    sort: true,
    width: 320,
    phone: 'sub',
    value: (a) => a.description,
  },
  { key: 'updatedAt', type: 'moment', title: 'user.updated', sort: true, value: (a) => a.updatedAt },
];

/** Shows the tree of addresses at which channels are placed (CHN-05). */
export function ChannelAddressListPage() {
  const { t } = useText();
  const dialog = (address: ChannelAddress | undefined, close: () => void) => (
    <ChannelAddressDialog address={address} onClose={close} />
  );
  return (
    <ListPage
      name="channelAddress"
      route="/_main/channel/address"
      list={listChannelAddresses}
      service="org"
      title="menu.channelAddresses"
      icon={IconWorld}
      texts="channelAddress"
      columns={columns}
      filters={[
        { key: 'name', kind: 'text', title: 'channelAddress.name' },
        { key: 'channels', kind: 'number', title: 'channelAddress.channels' },
        { key: 'description', kind: 'text', empties: true, title: 'channelAddress.description' },
        { key: 'updatedAt', kind: 'moment', title: 'user.updated' },
      ]}
      label={(a) => a.name}
      phone={(a) => ({
        title: a.path.join(' / '),
        state: t('channelAddress.channelCount', { count: a.channels, number: count(a.channels) }),
      })}
      add={{ label: 'channelAddress.add', right: 'addChannelAddress', dialog: (close) => dialog(undefined, close) }}
      drawer={{ parameter: 'address' }}
      edit={{ right: 'editChannelAddress', dialog }}
      remove={{
        right: 'deleteChannelAddress',
        dialog: (address, close) => (
          <DeleteDialog
            noun="channelAddress"
            name={address.name}
            text={t('channelAddress.deleteText')}
            stays={
              address.channels === 0
                ? undefined
                : t('channelAddress.deleteUsed', { count: address.channels, number: count(address.channels) })
            }
            remove={() => call(deleteChannelAddress, { query: { id: address.id } })}
            restore={() => call(restoreChannelAddresses, { body: { ids: [address.id] } })}
            onClose={close}
          />
        ),
      }}
    />
  );
}
