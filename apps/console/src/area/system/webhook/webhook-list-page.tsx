import { IconHistory, IconKey, IconSend, IconWebhook } from '@tabler/icons-react';
import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  alarmLevels,
  webhookEvents,
  webhookStates,
  type WebhookEvent,
  type WebhookState,
} from '@carillon/contracts/message';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { DeleteDialog } from '../../../kit/part/delete-dialog.tsx';
import { lazy } from '../../../kit/part/lazy.tsx';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { Level } from '../alarm/level.tsx';
import { HookState } from './webhook-state.tsx';
import { eventWords } from './webhook-words.ts';
import { deleteWebhook, listWebhooks, restoreWebhooks, type Webhook } from './webhook.calls.ts';

const WebhookDialog = lazy(() => import('./webhook-dialog.tsx'));
const SecretDialog = lazy(() => import('./secret-dialog.tsx'));
const TestDialog = lazy(() => import('./test-dialog.tsx'));
const LatestDeliveries = lazy(() => import('./latest-deliveries.tsx'));

const columns: ListColumn<typeof listWebhooks>[] = [
  { key: 'name', type: 'text', title: 'webhook.name', sort: true, width: 160, fixed: true, value: (w) => w.name },
  {
    key: 'state',
    type: 'word',
    title: 'webhook.state',
    sort: true,
    width: 180,
    live: true,
    phone: 'state',
    value: (w) => `webhook.state.${w.state}`,
    show: (w) => <HookState state={w.state} />,
  },
  { key: 'url', type: 'code', title: 'webhook.url', sort: true, width: 220, phone: 'sub', value: (w) => w.url },
  {
    key: 'events',
    type: 'names',
    title: 'webhook.events',
    width: 212,
    words: 'event',
    value: (w) => w.events,
    show: (w) => <Events webhook={w} />,
  },
  {
    key: 'level',
    type: 'word',
    title: 'webhook.level',
    optional: true,
    sort: true,
    width: 130,
    value: (w) => `level.${w.level}`,
    show: (w) => <Level level={w.level} />,
  },
  {
    key: 'organization',
    type: 'text',
    title: 'webhook.organization',
    optional: true,
    width: 160,
    value: (w) => w.organization?.name,
  },
  {
    key: 'deliveredAt',
    type: 'moment',
    title: 'webhook.delivered',
    sort: true,
    live: true,
    value: (w) => w.deliveredAt,
  },
  {
    key: 'failingSince',
    type: 'moment',
    title: 'webhook.failingSince',
    sort: true,
    optional: true,
    value: (w) => w.failingSince,
  },
  { key: 'updatedAt', type: 'moment', title: 'webhook.updated', sort: true, optional: true, value: (w) => w.updatedAt },
];

function Events({ webhook }: { webhook: Webhook }) {
  const { t } = useText();
  const names = webhook.events.map((event) => t(eventWords[event])).join(', ');
  return <span title={names}>{names}</span>;
}

/** Lists the webhooks that notify programs of events (NOTE-05). */
export function WebhookListPage() {
  const { t } = useText();
  const navigate = useNavigate();
  return (
    <ListPage
      name="webhook"
      route="/_main/system/webhook"
      list={listWebhooks}
      service="notification"
      title="menu.webhooks"
      icon={IconWebhook}
      texts="webhook"
      columns={columns.map((c) =>
        c.key === 'level'
          ? { ...c, words: Object.fromEntries(alarmLevels.map((level) => [level, t(`level.${level}`)])) }
          : c,
      )}
      filters={[
        { key: 'name', kind: 'text', title: 'webhook.name' },
        {
          key: 'state',
          title: 'webhook.state',
          values: webhookStates,
          word: (state: WebhookState) => `webhook.state.${state}`,
        },
        {
          key: 'event',
          title: 'webhook.events',
          values: webhookEvents,
          word: (event: WebhookEvent) => eventWords[event],
        },
        { key: 'url', kind: 'text', title: 'webhook.url' },
        { key: 'updatedAt', kind: 'moment', title: 'webhook.updated' },
      ]}
      label={(w) => w.name}
      add={{
        label: 'webhook.add',
        right: 'addWebhook',
        dialog: (close) => <WebhookDialog webhook={undefined} onClose={close} />,
      }}
      beside={
        <Button
          component={Link}
          to="/system/webhook/deliveries"
          variant="default"
          leftSection={<IconHistory size={15} stroke={1.75} aria-hidden />}
        >
          {t('menu.webhookDeliveries')}
        </Button>
      }
      drawer={{
        parameter: 'hook',
        more: (w) => <LatestDeliveries webhookId={w.id} />,
      }}
      edit={{ right: 'editWebhook', dialog: (w, close) => <WebhookDialog webhook={w} onClose={close} /> }}
      actions={[
        {
          key: 'test',
          label: 'webhook.test',
          icon: IconSend,
          right: 'editWebhook',
          dialog: ({ record, close }) => <TestDialog webhook={record!} onClose={close} />,
        },
        {
          key: 'deliveries',
          label: 'menu.webhookDeliveries',
          icon: IconHistory,
          menuOnly: true,
          run: ({ record }) => void navigate({ to: '/system/webhook/deliveries', search: { webhook: record!.id } }),
        },
        {
          key: 'renew',
          label: 'webhook.renew',
          icon: IconKey,
          right: 'editWebhook',
          menuOnly: true,
          dialog: ({ record, close }) => <SecretDialog webhook={record!} onClose={close} />,
        },
      ]}
      remove={{
        right: 'deleteWebhook',
        dialog: ({ id, name }, close) => (
          <DeleteDialog
            noun="webhook"
            name={name}
            text={t('webhook.deleteText')}
            remove={() => call(deleteWebhook, { query: { id } })}
            restore={() => call(restoreWebhooks, { body: { ids: [id] } })}
            onClose={close}
          />
        ),
      }}
    />
  );
}
