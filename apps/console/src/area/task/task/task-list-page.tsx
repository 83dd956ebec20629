import { useMemo } from 'react';
import { IconListCheck } from '@tabler/icons-react';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useText } from '../../../kit/text/use-text.ts';
import type { TaskRecord } from '@carillon/contracts';
import { actionKeys, actionName } from '../action/actions.tsx';
import { DataGrid } from '../../../kit/grid/data-grid.tsx';
import { rulesOf } from '../../../kit/grid/filter.ts';
import type { Column, Filter, FilterOption } from '../../../kit/grid/grid.types.ts';
import { queryOf, readList, writeList, type ListRules } from '../../../kit/grid/search.ts';
import { StateGlyph, StateWord } from '../../../kit/part/state.tsx';
import { count } from '../../../kit/text/text.ts';
import { length, moment, zoneName } from '../../../kit/text/time.ts';
import { ended, TaskBar } from './task-bar.tsx';
import { taskListQuery, taskStatuses, type TaskQuery } from './task.calls.ts';
import css from './task-list-page.module.css';

const route = getRouteApi('/_main/task/list');

type Field = string;
const fields: readonly Omit<Filter<Field>, 'title' | 'options'>[] = [
  { key: 'status', kind: 'choice' },
  { key: 'action', kind: 'text' },
  { key: 'name', kind: 'text' },
  { key: 'number', kind: 'number' },
  { key: 'creatorName', kind: 'text' },
  { key: 'createdAt', kind: 'moment' },
  { key: 'endedAt', kind: 'moment', empties: true },
];
const rules: ListRules<Field> = {
  sorts: ['number', 'name', 'status', 'createdAt', 'endedAt'],
  filters: Object.fromEntries(fields.flatMap((f) => rulesOf(f, f.key === 'status' ? taskStatuses : undefined))),
};

export function TaskListPage() {
  const { t } = useText();
  const navigate = useNavigate();
  const search = route.useSearch();
  const state = useMemo(() => readList(search, rules), [search]);
  const query = useQuery(taskListQuery(queryOf(state) as TaskQuery));
  const columns = useMemo(
    (): Column<TaskRecord>[] => [
      {
        key: 'status',
        title: t('task.status'),
        width: 148,
        sortable: true,
        render: (r) => <StateWord state={r.status} />,
        live: (r) => r.status,
      },
      { key: 'number', title: t('task.number'), width: 80, sortable: true, align: 'end', render: (r) => r.number },
      {
        key: 'name',
        title: t('task.name'),
        width: 220,
        sortable: true,
        fixed: true,
        render: (r) => r.name,
        link: (r) => `/task/list?task=${r.id}`,
      },
      { key: 'action', title: t('task.action'), width: 120, render: (r) => actionName(r.action) },
      { key: 'type', title: t('task.type'), width: 110, optional: true, render: (r) => t(`taskType.${r.type}`) },
      {
        key: 'progress',
        title: t('task.progress'),
        width: 200,
        render: (r) => (
          <span className={css.progress}>
            <TaskBar counts={r.counts} thin />
            <span className={css.figures}>
              {t('task.of', { done: count(ended(r.counts)), total: count(r.counts.total) })}
            </span>
          </span>
        ),
      },
      { key: 'creator', title: t('task.creator'), width: 130, render: (r) => r.creatorName },
      {
        key: 'createdAt',
        title: t('task.begun'),
        hint: zoneName(),
        width: 158,
        sortable: true,
        render: (r) => moment(r.createdAt),
      },
      {
        key: 'endedAt',
        title: t('task.ended'),
        hint: zoneName(),
        width: 158,
        sortable: true,
        optional: true,
        render: (r) => moment(r.endedAt),
      },
      {
        key: 'time',
        title: t('task.time'),
        width: 84,
        align: 'end',
        render: (r) =>
          length(r.endedAt === null || r.startedAt === null ? null : Date.parse(r.endedAt) - Date.parse(r.startedAt)),
      },
    ],
    [t],
  );
  const options: Partial<Record<Field, readonly FilterOption[]>> = {
    status: taskStatuses.map((s) => ({ value: s, label: t(`state.${s}`), glyph: <StateGlyph state={s} /> })),
    action: actionKeys.map((key) => ({ value: key, label: actionName(key) })),
  };
  const titles = {
    status: 'task.status',
    action: 'task.action',
    name: 'task.name',
    number: 'task.number',
    creatorName: 'task.creator',
    createdAt: 'task.begun',
    endedAt: 'task.ended',
  } as const;
  const filters = fields.map((field): Filter<Field> => ({
    ...field,
    title: t(titles[field.key as keyof typeof titles]),
    options: options[field.key] ?? [],
  }));
  return (
    <DataGrid<TaskRecord, Field>
      name="task"
      title={t('menu.tasks')}
      columns={columns}
      query={query}
      state={state}
      filters={filters}
      openId={search.task}
      onState={(next) =>
        void navigate({
          to: '.',
          search: { ...writeList(next), ...(search.task === undefined ? {} : { task: search.task }) } as never,
        })
      }
      onOpen={(r) => void navigate({ to: '.', search: { ...search, task: r.id } as never })}
      label={(r) => r.name}
      searchLabel={t('task.search')}
      phone={(r) => ({
        title: r.name,
        sub: <TaskBar counts={r.counts} thin />,
        state: <StateWord state={r.status} />,
        extra: t('task.of', { done: count(ended(r.counts)), total: count(r.counts.total) }),
      })}
      empty={{
        icon: <IconListCheck size={20} stroke={1.5} />,
        title: t('task.none'),
        text: t('task.noneText'),
        action: (
          <Button component={Link} to="/device/list" search={{} as never}>
            {t('task.toDevices')}
          </Button>
        ),
      }}
      noMatch={t('task.noMatch')}
      failure={t('task.listFailed')}
    />
  );
}
