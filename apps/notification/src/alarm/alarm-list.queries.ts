import {
  alarmKinds,
  type AlarmState,
  type listAlarmEpisodes,
  type listAlarms,
  type RouteInput,
  type RouteReturn,
  toPage,
} from '@carillon/contracts';
import {
  alphabetic,
  anyContains,
  column,
  columnNames,
  columns,
  computed,
  containsPattern,
  currentSql,
  filterBy,
  iso,
} from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { deviceTable, unread as messageUnread } from '../message/message-unread.ts';
import { objectNameIn, textOf } from '../message/message.text.ts';
import { Alarm, AlarmGroup } from './alarm.entity.ts';

/** SQL: groups with the sums of the visible organizations; `$1` is the reader. */
export const groupsSql = `
  select l.id, l.company_id, l.kind as type, l.level, l.cause, l.cause_id, l.cause_name,
    case when s.devices = 1 then s.device_id end as object_id, case when s.devices = 1 then s.device_name end
      as object_name,
    s.devices, s.open, s.count,
    case
      when s.open = 0 then 'ended'
      when s.waiting > 0 then 'open'
      when s.silenced = s.open then 'silenced'
      else 'acknowledged'
    end as state,
    s.raised_at is null or exists (
      select 1 from alarm_read r where r.line_id = l.id and r.user_id = $1 and r.at >= s.raised_at
    ) as read,
    coalesce(s.raised_at, s.began_at) as told_at, s.raised_at, s.began_at, s.last_at,
    case when s.open = 0 then s.ended_at end as ended_at, s.detail,
    jsonb_build_object('count', s.devices, 'account', s.detail, 'version', s.detail) as "values"
  from alarm_line l
  join (
    select line_id, sum(devices)::int as devices, sum(open)::int as open, sum(waiting)::int as waiting,
      sum(silenced)::int as silenced, sum(count)::int as count, min(began_at) as began_at, max(last_at) as last_at,
      max(ended_at) as ended_at, max(raised_at) as raised_at, min(device_id::text) as device_id,
      min(device_name) as device_name, min(detail) as detail
    from alarm_sum
    group by line_id
  ) s on s.line_id = l.id
`;

/** SQL: the list of devices: alarm groups, and messages of other services about devices. */
const tableSql = `
  (
    ${groupsSql}
    union all
    select m.id, m.company_id, m.type, m.level, 'none', null, null, m.object_id, m.object_name,
      case when m.type = ${alarmKinds.taskFailed} or m.object_id is null then 0 else 1 end, 0, 1, 'told',
      not (${messageUnread('$1')}), m.created_at, m.created_at, m.created_at, m.created_at, null, null, m."values"
    from message m
    where ${deviceTable}
  ) x
`;

const name = columnNames(AlarmGroup, 'x');
const record = columns(AlarmGroup, 'x', ['id', 'level', 'cause', 'causeId', 'causeName'], {
  type: computed<number>('x.type'),
  objectId: computed<string | null>('x.object_id'),
  objectName: computed<string | null>('x.object_name'),
  devices: computed<number>('x.devices'),
  open: computed<number>('x.open'),
  count: computed<number>('x.count'),
  state: computed<AlarmState>('x.state'),
  read: computed<boolean>('x.read'),
  createTime: computed<string>('x.began_at', iso),
  lastAt: computed<string>('x.last_at', iso),
  endedAt: computed<string | null>('x.ended_at', iso),
  values: computed<Record<string, string | number | null>>('x."values"'),
});
/** SQL: whether the name of one of its devices matches. */
const hasDeviceSql = (pattern: string): string =>
  `exists (select 1 from alarm a where a.line_id = x.id and ${anyContains(['a.device_name'], pattern)})`;
const sorts = {
  state: 'x.state',
  level: `array_position(array['low', 'medium', 'high'], x.level::text)`,
  objectName: alphabetic('x.object_name'),
  causeName: alphabetic('x.cause_name'),
  devices: 'x.devices',
  count: 'x.count',
  createTime: 'x.began_at',
  lastAt: 'x.last_at',
  endedAt: 'x.ended_at',
};
const filterColumns = {
  type: filterBy.number('x.type'),
  level: filterBy.text(name.level),
  state: filterBy.text('x.state'),
  read: filterBy.flag('x.read'),
  // For a group with many devices any of them matches.
  objectName: filterBy.text('x.object_name', {
    any: (values, add) => {
      const names = add(values);
      return `x.object_name = any(${names}::text[]) or exists (
        select 1 from alarm a where a.line_id = x.id and a.device_name = any(${names}::text[])
      )`;
    },
    contains: (texts, add) => {
      const patterns = `any(${add(texts.map(containsPattern))}::text[])`;
      return `${anyContains(['x.object_name'], patterns)} or ${hasDeviceSql(patterns)}`;
    },
  }),
  causeName: filterBy.text('x.cause_name'),
  site: filterBy.id('x.id', {
    any: (values, add) =>
      `exists (select 1 from alarm a where a.line_id = x.id and a.site_id = any(${add(values)}::uuid[]))`,
  }),
  devices: filterBy.number('x.devices'),
  count: filterBy.number('x.count'),
  createTime: filterBy.moment('x.began_at'),
  lastAt: filterBy.moment('x.last_at'),
  endedAt: filterBy.moment('x.ended_at'),
};

export async function alarmPage(
  query: RouteInput<typeof listAlarms>['query'],
): Promise<RouteReturn<typeof listAlarms>> {
  const who = context();
  const page = await readPage({
    query,
    record,
    from: tableSql,
    values: [who.userId],
    searched: (like) => `${anyContains(['x.object_name', 'x.cause_name'], like)} or ${hasDeviceSql(like)}`,
    filters: filterColumns,
    sorts,
    order: 'x.last_at desc, x.id desc',
  });
  return {
    ...page,
    records: page.records.map(({ values: figures, ...r }) => ({
      ...r,
      objectName: objectNameIn(who.language, r.objectName, figures),
      ...textOf(r.type, who.language, { ...figures, object: r.objectName ?? '' }, r.devices),
    })),
  };
}

const episode = columns(
  Alarm,
  'a',
  [
    'id',
    'deviceId',
    'deviceName',
    'mac',
    'count',
    'beganAt',
    'lastAt',
    'endedAt',
    'ended',
    'acknowledgedAt',
    'acknowledgedBy',
    'silenced',
  ],
  {
    line: computed<number | null>('nullif(a.sub, 0)'),
    account: column(Alarm, 'a', 'detail'),
  },
);
const episodes = columns(Alarm, 'a', [], { n: computed<number>('count(*)::int') });

export async function episodePage(
  groupId: string,
  query: RouteInput<typeof listAlarmEpisodes>['query'],
): Promise<RouteReturn<typeof listAlarmEpisodes>> {
  const { page, limit } = toPage(query);
  const [all] = await currentSql().rows(episodes, `select ${episodes} from alarm a where a.line_id = $1`, [groupId]);
  const records = await currentSql().rows(
    episode,
    `
      select ${episode}
      from alarm a
      where a.line_id = $1
      order by a.ended_at desc nulls first, a.last_at desc, a.id
      limit $2 offset $3
    `,
    [groupId, limit, (page - 1) * limit],
  );
  return { records, total: all!.n, current: page, size: limit };
}

/** Marks groups as read by the user: named ones, those of a kind, or all. Returns those that were unread. */
export async function readGroups(which: { ids: readonly string[] } | { type: number } | 'all'): Promise<string[]> {
  const who = context();
  const [condition, value] =
    which === 'all'
      ? ['$3::int is null', null]
      : 'type' in which
        ? ['x.type = $3::int', which.type]
        : ['x.id = any ($3::uuid[])', which.ids];
  const read = columns(AlarmGroup, 'r', [], { id: computed<string>('r.line_id') });
  const rows = await currentSql().rows(
    read,
    `
      insert into alarm_read as r (user_id, line_id, company_id, at)
      select $1, x.id, $2, x.told_at
      from (${groupsSql}) x
      where ${condition} and not x.read
      on conflict (user_id, line_id) do update set at = greatest(r.at, excluded.at)
      returning ${read}
    `,
    [who.userId, who.companyId, value],
  );
  return rows.map((r) => r.id);
}
