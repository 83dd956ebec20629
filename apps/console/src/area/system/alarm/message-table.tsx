import { IconBell, IconCheck, IconTrash } from '@tabler/icons-react';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { done } from '../../../kit/part/done.ts';
import { call } from '../../../kit/api/call.ts';
import { t } from '../../../kit/text/translate.ts';
import { alarmTabs, levels, readWord } from './alarm-tabs.ts';
import { Level } from './level.tsx';
import { deleteMessages, listMessages, type MessageQuery } from './message.calls.ts';
import { ReadAll } from './read-all.tsx';
import { Title } from './title.tsx';
import { useMessages } from './use-messages.ts';

const columns: ListColumn<typeof listMessages>[] = [
  { key: 'createTime', type: 'moment', title: 'alarm.time', sort: true, phone: 'extra', value: (m) => m.createTime },
  {
    key: 'title',
    type: 'text',
    title: 'alarm.title',
    width: 240,
    fixed: true,
    value: (m) => m.title,
    show: (m) => <Title {...m} />,
  },
  {
    key: 'level',
    type: 'word',
    title: 'alarm.level',
    sort: true,
    width: 100,
    phone: 'state',
    value: (m) => `level.${m.level}`,
    show: (m) => <Level level={m.level} />,
  },
  { key: 'content', type: 'text', title: 'alarm.content', width: 342, phone: 'sub', value: (m) => m.content },
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
    width: 90,
    value: (m) => m.date,
    show: (m) => (m.date === null ? '–' : t('alarm.days', { count: m.date })),
  },
];

/** Lists messages that are no alarms of devices (NOTE-06). */
export function MessageTable() {
  const { mark, renew } = useMessages();
  return (
    <ListPage
      name="message-message"
      kind="message"
      route="/_main/alarm"
      list={listMessages}
      service="notification"
      request={(asked) => {
        const { read, ...rest } = asked as MessageQuery & { read?: string[] };
        return { ...rest, tab: 'message' as const, ...(read?.length === 1 ? { read: read[0] as 'true' } : {}) };
      }}
      title="menu.alarms"
      icon={IconBell}
      texts="alarm"
      none="alarm.noMessage"
      tabs={alarmTabs('message')}
      columns={columns}
      filters={[
        { key: 'level', title: 'alarm.level', values: levels, word: (l: (typeof levels)[number]) => `level.${l}` },
        { key: 'read', kind: 'flag', title: 'alarm.state', values: ['false', 'true'], word: readWord },
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
      drawer={{
        parameter: 'message',
        // It left a list of unread messages because it was opened.
        keep: (m) => ({ ...m, read: true }),
        onOpen: (m) => {
          if (!m.read) mark([m.id]);
        },
      }}
      primary={<ReadAll />}
    />
  );
}
