import { useCallback, useMemo, useState } from 'react';
import { Button } from '@mantine/core';
import { IconBell, IconCheck, IconChecks, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useText } from '../../../kit/text/use-text.ts';
import { DataGrid } from '../../../kit/grid/data-grid.tsx';
import type { Column, Filter, GridAction } from '../../../kit/grid/grid.types.ts';
import { queryOf, readList, writeList, type ListRules } from '../../../kit/grid/search.ts';
import { one } from '../../../kit/session/address.ts';
import { useAccess } from '../../../kit/session/access.ts';
import { call } from '../../../kit/session/call.ts';
import { moment, zoneName } from '../../../kit/text/time.ts';
import {
  clearMessages,
  deleteMessages,
  messageListQuery,
  readMessages,
  type MessageQuery,
  type MessageRecord,
} from './message.calls.ts';
import { Level } from './level.tsx';
import css from './alarm-page.module.css';

const route = getRouteApi('/_main/alarm');
type Field = 'level' | 'read';
const levels = ['high', 'medium', 'low'] as const;
const rules: ListRules<Field> = { sorts: [], filters: { level: levels, read: ['false', 'true'] } };

/** The two tables of alarms and messages: what devices told, and the rest (spec, section 2, `tableCheck`). */
export function AlarmPage() {
  const { t } = useText();
  const search = route.useSearch();
  const navigate = useNavigate();
  const client = useQueryClient();
  const access = useAccess();
  const tab = one(search.tableCheck) === 'message' ? ('message' as const) : ('device' as const);
  const state = useMemo(() => readList(search, rules), [search]);
  const { read, ...asked } = queryOf(state) as MessageQuery & { read?: string[] };
  const query = useQuery(
    messageListQuery({ ...asked, tab, ...(read?.length === 1 ? { read: read[0] as 'true' } : {}) }),
  );
  const [cleared, setCleared] = useState(0);
  const renew = useCallback(() => client.invalidateQueries({ queryKey: ['message'] }), [client]);
  const mark = useCallback((ids: string[]) => void call(readMessages, { body: ids }).then(renew, () => {}), [renew]);

  const columns = useMemo(
    (): Column<MessageRecord>[] => [
      { key: 'createTime', title: t('alarm.time'), hint: zoneName(), width: 158, render: (m) => moment(m.createTime) },
      {
        key: 'title',
        title: t('alarm.title'),
        width: 300,
        fixed: true,
        render: (m) => (
          <span className={m.read ? undefined : css.unread} title={m.title}>
            {!m.read && <span className={css.dot} role="img" aria-label={t('alarm.unread')} />}
            {m.title}
          </span>
        ),
      },
      { key: 'level', title: t('alarm.level'), width: 110, render: (m) => <Level level={m.level} /> },
      {
        key: 'content',
        title: t('alarm.content'),
        width: 400,
        render: (m) => <span title={m.content}>{m.content}</span>,
      },
      {
        key: 'object',
        title: t('alarm.object'),
        width: 180,
        optional: true,
        render: (m) => <span title={m.objectName ?? undefined}>{m.objectName ?? '–'}</span>,
      },
      {
        key: 'date',
        title: t('alarm.date'),
        width: 120,
        align: 'end',
        ...(tab === 'device' ? { optional: true as const } : {}),
        render: (m) => (m.date === null ? '–' : t('alarm.days', { count: m.date })),
      },
    ],
    [t, tab],
  );
  const filters: Filter<Field>[] = [
    { key: 'level', title: t('alarm.level'), options: levels.map((l) => ({ value: l, label: t(`level.${l}`) })) },
    {
      key: 'read',
      title: t('alarm.state'),
      options: [
        { value: 'false', label: t('alarm.unread') },
        { value: 'true', label: t('alarm.read') },
      ],
    },
  ];
  const mayDelete = access.can('deleteMessage');
  const actions = useMemo(
    (): GridAction<MessageRecord>[] => [
      {
        key: 'read',
        label: t('alarm.markRead'),
        icon: <IconCheck size={16} stroke={1.75} aria-hidden />,
        onOne: (m) => mark([m.id]),
        onPage: (ids) => {
          mark(ids);
          setCleared((n) => n + 1);
        },
      },
      ...(mayDelete
        ? [
            {
              key: 'delete',
              label: t('alarm.delete'),
              icon: <IconTrash size={16} stroke={1.75} aria-hidden />,
              onOne: (m: MessageRecord) => void call(deleteMessages, { body: [m.id] }).then(renew, () => {}),
              onPage: (ids: string[]) => {
                void call(deleteMessages, { body: ids }).then(renew, () => {});
                setCleared((n) => n + 1);
              },
            },
          ]
        : []),
    ],
    [t, mayDelete, mark, renew],
  );
  const go = (next: Record<string, unknown>) =>
    void navigate({ to: '.', search: { ...(tab === 'message' ? { tableCheck: 'message' } : {}), ...next } as never });
  return (
    <DataGrid<MessageRecord, Field>
      key={`${tab} ${cleared}`}
      name={`message-${tab}`}
      title={t('menu.alarms')}
      columns={columns}
      query={query}
      state={state}
      filters={filters}
      actions={actions}
      tabs={[
        { key: 'device', label: t('alarm.devices') },
        { key: 'message', label: t('alarm.messages') },
      ]}
      tab={tab}
      onTab={(key) =>
        void navigate({
          to: '.',
          search: (key === 'message' ? { tableCheck: 'message' } : { tableCheck: 'device' }) as never,
        })
      }
      onState={(next) => go(writeList(next))}
      label={(m) => m.title}
      searchLabel={t('alarm.search')}
      onOpen={(m) => {
        if (!m.read) mark([m.id]);
        if (m.objectId && m.type === 5)
          void navigate({ to: '.', search: (s: Record<string, unknown>) => ({ ...s, task: m.objectId }) as never });
      }}
      primary={
        <Button
          variant="default"
          leftSection={<IconChecks size={15} stroke={1.75} />}
          onClick={() => void call(clearMessages, { params: { type: -1 } }).then(renew, () => {})}
        >
          {t('alarm.readAll')}
        </Button>
      }
      phone={(m) => ({ title: m.title, sub: m.content, state: <Level level={m.level} />, extra: moment(m.createTime) })}
      empty={{
        icon: <IconBell size={20} stroke={1.5} />,
        title: t(tab === 'device' ? 'alarm.none' : 'alarm.noMessage'),
        text: t('alarm.noneText'),
      }}
      noMatch={t('alarm.noMatch')}
      failure={t('alarm.listFailed')}
    />
  );
}
