import { IconArrowBackUp, IconBuildingSkyscraper, IconDeviceLandlinePhone, IconPackage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { ImportButton } from '../../../kit/import/import-button.tsx';
import { DeleteDialog } from '../../../kit/part/delete-dialog.tsx';
import { lazy } from '../../../kit/part/lazy.tsx';
import { call } from '../../../kit/api/call.ts';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import {
  deleteChannelOrders,
  listChannelOrders,
  orderCountsQuery,
  restoreChannelOrders,
  type ChannelOrder,
} from './channel-order.calls.ts';
import { OrderStatus } from './order-status.tsx';
import { OrderStrip } from './order-strip.tsx';

const AddOrderDialog = lazy(() => import('./add-order-dialog.tsx'));
const AllocateDialog = lazy(() => import('./allocate-dialog.tsx'));
const TakeBackDialog = lazy(() => import('./take-back-dialog.tsx'));
const MakeDevicesDialog = lazy(() => import('./make-devices-dialog.tsx'));
const ChannelOrderDrawer = lazy(() => import('./channel-order-drawer.tsx'));

const statuses = ['unassigned', 'assigned'] as const;
const sources = ['import', 'manual', 'company', 'device'] as const;

function DeviceLink({ id }: { id: string }) {
  const { t } = useText();
  return (
    <Link to="/device/deviceDetail" search={{ id } as never}>
      {t('channelOrder.device')}
    </Link>
  );
}

const columns: ListColumn<typeof listChannelOrders>[] = [
  {
    key: 'mac',
    type: 'code',
    title: 'channelOrder.mac',
    sort: true,
    width: 150,
    fixed: true,
    value: (o) => macText(o.mac),
  },
  {
    key: 'model',
    type: 'text',
    title: 'channelOrder.model',
    sort: true,
    width: 110,
    phone: 'sub',
    value: (o) => o.model,
  },
  { key: 'order', type: 'text', title: 'channelOrder.order', sort: true, width: 120, value: (o) => o.order },
  {
    key: 'status',
    type: 'word',
    title: 'channelOrder.status',
    sort: true,
    width: 140,
    live: true,
    phone: 'state',
    value: (o) => `channelOrder.status.${o.status}`,
    show: (o) => <OrderStatus order={o} />,
  },
  {
    key: 'company',
    type: 'text',
    title: 'channelOrder.company',
    sort: true,
    width: 142,
    live: true,
    phone: 'extra',
    value: (o) => o.company?.name,
  },
  {
    key: 'source',
    type: 'word',
    title: 'channelOrder.source',
    optional: true,
    sort: true,
    width: 110,
    value: (o) => `channelOrder.source.${o.source}`,
  },
  {
    key: 'from',
    type: 'text',
    title: 'channelOrder.from',
    sort: true,
    width: 180,
    optional: true,
    value: (o) => o.from,
  },
  { key: 'inAt', type: 'moment', title: 'channelOrder.inAt', sort: true, value: (o) => o.inAt },
  {
    key: 'assignedAt',
    type: 'moment',
    title: 'channelOrder.assignedAt',
    optional: true,
    sort: true,
    value: (o) => o.assignedAt,
  },
  {
    key: 'inUse',
    type: 'word',
    title: 'channelOrder.inUse',
    width: 110,
    value: (o) => `channelOrder.inUse.${o.deviceId === null ? 'false' : 'true'}`,
    show: (o) => o.deviceId !== null && <DeviceLink id={o.deviceId} />,
  },
];

const isFree = (o: ChannelOrder) => o.status === 'unassigned' && o.deviceId === null;

/** Lists order lines: what came in, what is free, and which channel has the rest (CHN-03). */
export function ChannelOrderListPage() {
  const { t } = useText();
  const channels = useQuery(orderCountsQuery()).data?.channels ?? [];
  return (
    <ListPage
      name="channelOrder"
      route="/_main/channel/allocatedList"
      list={listChannelOrders}
      service="device"
      title="menu.channelOrders"
      icon={IconPackage}
      texts="channelOrder"
      columns={columns}
      filters={[
        {
          key: 'status',
          title: 'channelOrder.status',
          values: statuses,
          word: (s: ChannelOrder['status']) => `channelOrder.status.${s}`,
        },
        {
          key: 'company',
          title: 'channelOrder.company',
          empties: true,
          options: channels.map((c) => ({ value: c.id, label: c.name, count: c.count })),
        },
        { key: 'mac', kind: 'text', title: 'channelOrder.mac' },
        { key: 'model', kind: 'text', title: 'channelOrder.model' },
        { key: 'order', kind: 'text', empties: true, title: 'channelOrder.order' },
        {
          key: 'inUse',
          kind: 'flag',
          title: 'channelOrder.inUse',
          values: ['true', 'false'],
          word: (yes: 'true' | 'false') => `channelOrder.inUse.${yes}`,
        },
        {
          key: 'source',
          title: 'channelOrder.source',
          values: sources,
          word: (s: ChannelOrder['source']) => `channelOrder.source.${s}`,
        },
        { key: 'from', kind: 'text', empties: true, title: 'channelOrder.from' },
        { key: 'inAt', kind: 'moment', title: 'channelOrder.inAt' },
        { key: 'assignedAt', kind: 'moment', empties: true, title: 'channelOrder.assignedAt' },
      ]}
      label={(o) => macText(o.mac)}
      strip={<OrderStrip />}
      beside={<ImportButton noun="channelOrder" place="device/import/channelOrder" right="importChannelOrder" />}
      emptyAction={<ImportButton noun="channelOrder" place="device/import/channelOrder" right="importChannelOrder" />}
      add={{
        label: 'channelOrder.add',
        right: 'addChannelOrder',
        dialog: (close) => <AddOrderDialog onClose={close} />,
      }}
      actions={[
        {
          key: 'allocate',
          label: 'channelOrder.allocate',
          icon: IconBuildingSkyscraper,
          right: 'allocateChannelOrder',
          many: 'all',
          when: (o) => o.status === 'unassigned',
          dialog: ({ target, count, record, close, deselect }) => (
            <AllocateDialog request={{ target, count, order: record }} onClose={close} onDone={deselect} />
          ),
        },
        {
          key: 'takeBack',
          label: 'channelOrder.takeBack',
          icon: IconArrowBackUp,
          right: 'allocateChannelOrder',
          many: 'all',
          when: (o) => o.status === 'assigned',
          dialog: ({ target, count, record, close, deselect }) => (
            <TakeBackDialog request={{ target, count, order: record }} onClose={close} onDone={deselect} />
          ),
        },
        {
          key: 'toDevice',
          label: 'channelOrder.toDevice',
          icon: IconDeviceLandlinePhone,
          right: 'toDeviceChannelOrder',
          many: 'all',
          menuOnly: true,
          when: isFree,
          dialog: ({ target, count, close, deselect }) => (
            <MakeDevicesDialog request={{ target, count }} onClose={close} onDone={deselect} />
          ),
        },
      ]}
      remove={{
        right: 'deleteChannelOrder',
        when: (o) => isFree(o) && o.source !== 'company',
        dialog: (order, close) => (
          <DeleteDialog
            noun="channelOrder"
            name={macText(order.mac)}
            text={t('channelOrder.deleteText')}
            remove={() => call(deleteChannelOrders, { query: { ids: [order.id] } })}
            restore={() => call(restoreChannelOrders, { body: { ids: [order.id] } })}
            onClose={close}
          />
        ),
      }}
      drawer={{
        parameter: 'line',
        show: (id, { records, close }) => {
          const order = records.find((o) => o.id === id);
          return order && <ChannelOrderDrawer key={id} order={order} onClose={close} />;
        },
      }}
    />
  );
}
