import { useMemo } from 'react';
import { t } from '../../../kit/text/translate.ts';
import { Button } from '@mantine/core';
import { IconBell, IconCheck, IconChecks, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import { done } from '../../../kit/part/done.ts';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { one } from '../../../kit/session/address.ts';
import { call } from '../../../kit/session/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import {
  clearMessages,
  deleteMessages,
  listMessages,
  readMessages,
  type MessageQuery,
  type MessageRecord,
} from './message.calls.ts';
import { Level } from './level.tsx';
import css from './alarm-page.module.css';

const levels = ['high', 'medium', 'low'] as const;

/** The two tables of alarms and messages: what devices told, and the rest (spec, section 2, `tableCheck`). */
export function AlarmPage() {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const tab =
    one(useSearch({ from: '/_main/alarm' }).tableCheck) === 'message' ? ('message' as const) : ('device' as const);
  const renew = (done: Promise<unknown>) =>
    void done.then(
      () => client.invalidateQueries({ queryKey: ['message'] }),
      () => {},
    );
  const mark = (ids: string[]) => renew(call(readMessages, { body: ids }));
  const columns = useMemo(() => columnsOf(tab, t('alarm.unread')), [tab, t]);
  return (
    <ListPage
      name={`message-${tab}`}
      kind="message"
      route="/_main/alarm"
      list={listMessages}
      service="notification"
      request={(asked) => {
        const { read, ...rest } = asked as MessageQuery & { read?: string[] };
        return { ...rest, tab, ...(read?.length === 1 ? { read: read[0] as 'true' } : {}) };
      }}
      title="menu.alarms"
      icon={IconBell}
      texts="alarm"
      none={tab === 'device' ? 'alarm.none' : 'alarm.noMessage'}
      tabs={{
        parameter: 'tableCheck',
        current: tab,
        names: { device: 'alarm.devices', message: 'alarm.messages' },
      }}
      columns={columns}
      filters={[
        {
          key: 'level',
          title: 'alarm.level',
          values: levels,
          word: (l: (typeof levels)[number]) => `level.${l}`,
        },
        {
          key: 'read',
          kind: 'flag',
          title: 'alarm.state',
          values: ['false', 'true'],
          word: (read: string) => (read === 'true' ? 'alarm.read' : 'alarm.unread'),
        },
        { key: 'createTime', kind: 'moment', title: 'alarm.time' },
        { key: 'objectName', kind: 'text', empties: true, title: 'alarm.object' },
      ]}
      label={(m) => m.title}
      actions={[
        {
          key: 'read',
          label: 'alarm.markRead',
          icon: IconCheck,
          many: 'named',
          run: ({ ids, deselect }) => {
            mark(ids);
            deselect();
          },
        },
        {
          key: 'delete',
          label: 'alarm.delete',
          icon: IconTrash,
          right: 'deleteMessage',
          many: 'named',
          run: ({ ids, deselect }) => {
            renew(call(deleteMessages, { body: ids }).then(() => done('messagesDeleted', { many: ids.length })));
            deselect();
          },
        },
      ]}
      onOpen={(m) => {
        if (!m.read) mark([m.id]);
        if (m.objectId && m.type === 5)
          void navigate({ to: '.', search: (s: Record<string, unknown>) => ({ ...s, task: m.objectId }) as never });
      }}
      primary={
        <Button
          variant="default"
          leftSection={<IconChecks size={15} stroke={1.75} />}
          onClick={() => renew(call(clearMessages, { params: { type: -1 } }).then(() => done('allRead')))}
        >
          {t('alarm.readAll')}
        </Button>
      }
    />
  );
}

const columnsOf = (tab: 'device' | 'message', unread: string): ListColumn<typeof listMessages>[] => [
  { key: 'createTime', type: 'moment', title: 'alarm.time', sort: true, phone: 'extra', value: (m) => m.createTime },
  {
    key: 'title',
    type: 'text',
    title: 'alarm.title',
    width: 300,
    fixed: true,
    value: (m) => m.title,
    show: (m) => <Title message={m} unread={unread} />,
  },
  {
    key: 'level',
    type: 'word',
    title: 'alarm.level',
    sort: true,
    width: 110,
    phone: 'state',
    value: (m) => `level.${m.level}`,
    show: (m) => <Level level={m.level} />,
  },
  { key: 'content', type: 'text', title: 'alarm.content', width: 400, phone: 'sub', value: (m) => m.content },
  {
    key: 'objectName',
    type: 'text',
    title: 'alarm.object',
    sort: true,
    width: 180,
    optional: true,
    value: (m) => m.objectName,
  },
  {
    key: 'date',
    type: 'number',
    title: 'alarm.date',
    width: 120,
    optional: tab === 'device',
    value: (m) => m.date,
    show: (m) => (m.date === null ? '–' : t('alarm.days', { count: m.date })),
  },
];

function Title({ message: { title, read }, unread }: { message: MessageRecord; unread: string }) {
  return (
    <span className={read ? undefined : css.unread} title={title}>
      {!read && <span className={css.dot} role="img" aria-label={unread} />}
      {title}
    </span>
  );
}
