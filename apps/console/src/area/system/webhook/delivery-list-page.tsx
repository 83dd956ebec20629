import { IconHistory, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  deliveryEvents,
  deliveryFaults,
  deliveryStates,
  type DeliveryEvent,
  type DeliveryFault,
  type DeliveryState,
} from '@carillon/contracts/message';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { done } from '../../../kit/part/done.ts';
import { lazy } from '../../../kit/part/lazy.tsx';
import { call } from '../../../kit/api/call.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { SentState } from './webhook-state.tsx';
import { eventWords, faultWords } from './webhook-words.ts';
import { listWebhookDeliveries, sendWebhookAgain, webhookNamesQuery, type Delivery } from './webhook.calls.ts';

const DeliveryDetails = lazy(() => import('./delivery-details.tsx'));

const columns: ListColumn<typeof listWebhookDeliveries>[] = [
  {
    key: 'createdAt',
    type: 'moment',
    title: 'webhookDelivery.created',
    sort: true,
    width: 164,
    value: (d) => d.createdAt,
  },
  {
    key: 'event',
    type: 'word',
    title: 'webhookDelivery.event',
    sort: true,
    width: 130,
    fixed: true,
    phone: 'sub',
    value: (d) => eventWords[d.event],
  },
  {
    key: 'about',
    type: 'text',
    title: 'webhookDelivery.about',
    sort: true,
    width: 150,
    value: (d) => d.about,
  },
  {
    key: 'webhookName',
    type: 'text',
    title: 'webhookDelivery.webhook',
    sort: true,
    width: 130,
    phone: 'extra',
    value: (d) => d.webhookName,
  },
  {
    key: 'state',
    type: 'word',
    title: 'webhookDelivery.state',
    sort: true,
    width: 110,
    live: true,
    phone: 'state',
    value: (d) => `webhook.sent.${d.state}`,
    show: (d) => <SentState state={d.state} />,
  },
  { key: 'status', type: 'number', title: 'webhookDelivery.status', sort: true, width: 80, value: (d) => d.status },
  {
    key: 'fault',
    type: 'word',
    title: 'webhookDelivery.fault',
    width: 172,
    value: (d) => (d.fault === null ? null : faultWords[d.fault]),
  },
  {
    key: 'tries',
    type: 'number',
    title: 'webhookDelivery.tries',
    optional: true,
    sort: true,
    width: 90,
    value: (d) => d.tries,
  },
  {
    key: 'ms',
    type: 'number',
    title: 'webhookDelivery.ms',
    optional: true,
    sort: true,
    width: 130,
    value: (d) => d.ms,
  },
  {
    key: 'nextAt',
    type: 'moment',
    title: 'webhookDelivery.next',
    optional: true,
    sort: true,
    width: 170,
    value: (d) => d.nextAt,
  },
  { key: 'answer', type: 'text', title: 'webhookDelivery.answer', width: 240, optional: true, value: (d) => d.answer },
  {
    key: 'triedAt',
    type: 'moment',
    title: 'webhookDelivery.tried',
    sort: true,
    optional: true,
    value: (d) => d.triedAt,
  },
  { key: 'id', type: 'code', title: 'webhookDelivery.id', width: 290, optional: true, value: (d) => d.id },
];

/** Lists the deliveries of webhooks with their results (NOTE-05). */
export function DeliveryListPage() {
  const { data: webhooks } = useQuery(webhookNamesQuery);
  return (
    <ListPage
      name="webhookDelivery"
      kind="webhook"
      route="/_main/system/webhook_/deliveries"
      list={listWebhookDeliveries}
      service="notification"
      title="menu.webhookDeliveries"
      icon={IconHistory}
      texts="webhookDelivery"
      columns={columns}
      filters={[
        {
          key: 'webhook',
          title: 'webhookDelivery.webhook',
          options: (webhooks?.records ?? []).map((w) => ({ value: w.id, label: w.name })),
        },
        {
          key: 'state',
          title: 'webhookDelivery.state',
          values: deliveryStates,
          word: (state: DeliveryState) => `webhook.sent.${state}`,
        },
        {
          key: 'event',
          title: 'webhookDelivery.event',
          values: deliveryEvents,
          word: (event: DeliveryEvent) => eventWords[event],
        },
        {
          key: 'fault',
          title: 'webhookDelivery.fault',
          values: deliveryFaults,
          word: (fault: DeliveryFault) => faultWords[fault],
        },
        { key: 'status', kind: 'number', title: 'webhookDelivery.status' },
        { key: 'about', kind: 'text', title: 'webhookDelivery.about' },
        { key: 'createdAt', kind: 'moment', title: 'webhookDelivery.created' },
      ]}
      label={(d) => d.about}
      drawer={{
        parameter: 'delivery',
        more: (d) => <DeliveryDetails id={d.id} />,
      }}
      actions={[
        {
          key: 'again',
          label: 'webhookDelivery.again',
          icon: IconRefresh,
          right: 'editWebhook',
          dialog: ({ record, close }) => <SendAgain delivery={record!} onClose={close} />,
        },
      ]}
    />
  );
}

function SendAgain({ delivery, onClose }: { delivery: Delivery; onClose: () => void }) {
  const { t } = useText();
  return (
    <AskDialog
      title={t('webhookDelivery.again')}
      text={t('webhookDelivery.againText', { webhook: delivery.webhookName, time: moment(delivery.createdAt) })}
      onClose={onClose}
      onConfirm={async () => {
        await call(sendWebhookAgain, { params: { id: delivery.id } });
        await done('sentAgain', { name: delivery.about });
      }}
    />
  );
}
