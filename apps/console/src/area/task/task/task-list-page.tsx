import { useMemo } from 'react';
import { IconListCheck } from '@tabler/icons-react';
import type { TaskRecord, TaskStatus } from '@carillon/contracts';
import { actionKeys, actionName } from '../action/actions.tsx';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { StateGlyph } from '../../../kit/part/state.tsx';
import { count } from '../../../kit/text/text.ts';
import { length } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { waitsForApproval } from '../approval/waits.ts';
import { AskedStrip } from './asked-strip.tsx';
import { repeats, repeatWords, scheduleWords, versionWords } from './schedule.ts';
import { ended, TaskBar } from './task-bar.tsx';
import { approvalStates, listTasks, taskStatuses, taskTypes } from './task.calls.ts';
import css from './task-list-page.module.css';

type T = ReturnType<typeof useText>['t'];
const progress = (t: T, task: TaskRecord) => {
  const { counts, pausedAt } = task;
  if (waitsForApproval(task)) return t('approval.state.asked');
  return t(pausedAt === null ? 'task.of' : 'taskTime.pausedOf', {
    done: count(ended(counts)),
    total: count(counts.total),
  });
};
const seconds = ({ startedAt, endedAt }: TaskRecord): number | null =>
  endedAt === null || startedAt === null ? null : (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000;

const columnsOf = (t: T): ListColumn<typeof listTasks>[] => [
  {
    key: 'status',
    type: 'state',
    title: 'task.status',
    width: 136,
    sort: true,
    live: true,
    phone: 'state',
    value: (r) => r.status,
  },
  { key: 'number', type: 'number', title: 'task.number', width: 70, sort: true, value: (r) => r.number },
  {
    key: 'name',
    type: 'text',
    title: 'task.name',
    width: 180,
    sort: true,
    fixed: true,
    link: (r) => `/task/list?task=${r.id}`,
    value: (r) => r.name,
  },
  { key: 'action', type: 'text', title: 'task.action', width: 110, sort: true, value: (r) => actionName(r.action) },
  {
    key: 'type',
    type: 'word',
    title: 'task.type',
    width: 110,
    sort: true,
    optional: true,
    words: Object.fromEntries(taskTypes.map((type) => [type, t(`taskType.${type}`)])),
    value: (r) => `taskType.${r.type}`,
  },
  {
    key: 'progress',
    type: 'text',
    title: 'task.progress',
    width: 160,
    phone: 'extra',
    value: (r) => progress(t, r),
    show: (r) => (
      <span className={css.progress}>
        <TaskBar counts={r.counts} thin />
        <span className={css.figures}>{progress(t, r)}</span>
      </span>
    ),
  },
  {
    key: 'devices',
    type: 'number',
    title: 'taskTime.devices',
    width: 90,
    sort: true,
    optional: true,
    value: (r) => r.devices,
  },
  {
    key: 'repeat',
    type: 'word',
    title: 'taskTime.repeat',
    optional: true,
    width: 240,
    value: ({ schedule: s }) => (s.type === 'cycle' ? `taskTime.repeat.${s.repeat.every}` : null),
    show: ({ schedule: s, timeZone }) =>
      s.type === 'cycle' ? <span title={scheduleWords(s, timeZone)}>{repeatWords(s.repeat, s.begin)}</span> : '–',
  },
  { key: 'beginAt', type: 'moment', title: 'taskTime.begin', sort: true, value: (r) => r.beginAt },
  { key: 'endAt', type: 'moment', title: 'taskTime.end', optional: true, value: (r) => r.endAt },
  { key: 'dueAt', type: 'moment', title: 'taskTime.next', optional: true, value: (r) => r.dueAt },
  {
    key: 'durationMinutes',
    type: 'number',
    title: 'taskTime.duration',
    width: 130,
    sort: true,
    optional: true,
    value: (r) => r.durationMinutes,
  },
  {
    key: 'version',
    type: 'text',
    title: 'taskTime.version',
    width: 150,
    optional: true,
    value: (r) => versionWords(r.versionRange),
  },
  {
    key: 'timeZone',
    type: 'text',
    title: 'taskTime.zone',
    width: 150,
    optional: true,
    value: (r) => (r.type === 'now' ? null : r.timeZone),
  },
  { key: 'runs', type: 'number', title: 'taskTime.runs', width: 70, optional: true, value: (r) => r.runs },
  { key: 'missed', type: 'number', title: 'taskTime.missed', width: 110, optional: true, value: (r) => r.missed },
  { key: 'creatorName', type: 'text', title: 'task.creator', width: 116, sort: true, value: (r) => r.creatorName },
  { key: 'createdAt', type: 'moment', title: 'task.begun', optional: true, sort: true, value: (r) => r.createdAt },
  { key: 'endedAt', type: 'moment', title: 'task.ended', sort: true, optional: true, value: (r) => r.endedAt },
  {
    key: 'time',
    type: 'number',
    title: 'task.time',
    optional: true,
    width: 84,
    sort: true,
    value: seconds,
    show: (r) => {
      const took = seconds(r);
      return length(took === null ? null : took * 1_000);
    },
  },
];

/** Lists tasks with their progress. */
export function TaskListPage() {
  const { t } = useText();
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <ListPage
      name="task"
      route="/_main/task/list"
      list={listTasks}
      service="task"
      title="menu.tasks"
      icon={IconListCheck}
      texts="task"
      columns={columns}
      filters={[
        {
          key: 'status',
          title: 'task.status',
          values: taskStatuses,
          word: (status: TaskStatus) => `state.${status}`,
          glyph: (status: TaskStatus) => <StateGlyph state={status} />,
        },
        {
          key: 'action',
          kind: 'text',
          title: 'task.action',
          options: actionKeys.map((key) => ({ value: key, label: actionName(key) })),
        },
        {
          key: 'type',
          title: 'task.type',
          values: taskTypes,
          word: (type: TaskRecord['type']) => `taskType.${type}`,
        },
        {
          key: 'approval',
          title: 'approval.approval',
          values: approvalStates,
          word: (state: (typeof approvalStates)[number]) => `approval.state.${state}`,
        },
        { key: 'name', kind: 'text', title: 'task.name' },
        { key: 'number', kind: 'number', title: 'task.number' },
        { key: 'beginAt', kind: 'moment', title: 'taskTime.begin' },
        { key: 'endAt', kind: 'moment', empties: true, title: 'taskTime.end' },
        {
          key: 'repeat',
          title: 'taskTime.repeat',
          empties: true,
          values: repeats,
          word: (repeat: (typeof repeats)[number]) => `taskTime.repeat.${repeat}`,
        },
        { key: 'durationMinutes', kind: 'number', empties: true, title: 'taskTime.duration' },
        { key: 'version', kind: 'typed', title: 'taskTime.version' },
        { key: 'device', kind: 'part', title: 'task.device' },
        { key: 'devices', kind: 'number', title: 'taskTime.devices' },
        { key: 'creatorName', kind: 'text', title: 'task.creator' },
        { key: 'createdAt', kind: 'moment', title: 'task.begun' },
        { key: 'endedAt', kind: 'moment', empties: true, title: 'task.ended' },
      ]}
      strip={<AskedStrip />}
      label={(r) => r.name}
      phone={(r) => ({ sub: <TaskBar counts={r.counts} thin />, extra: progress(t, r) })}
      // The main layout shows the task in the URL on every page.
      drawer={{ parameter: 'task', show: () => null }}
      add={{ label: 'menu.addTask', right: 'addTask', href: '/task/addTask' }}
    />
  );
}
