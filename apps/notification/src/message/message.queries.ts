import type {
  EventData,
  listMessages,
  listNotices,
  message,
  Message as Event,
  RouteInput,
  RouteReturn,
} from '@carillon/contracts';
import {
  alphabetic,
  column,
  columnNames,
  columns,
  computed,
  currentSql,
  filterBy,
  iso,
  type RowOf,
} from '@carillon/persistence';
import { emitLive, readPage } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { groupsSql, readGroups } from '../alarm/alarm-list.queries.ts';
import { removeGroups } from '../alarm/alarm.queries.ts';
import { Message } from './message.entity.ts';
import { deviceTable, unread } from './message-unread.ts';
import { objectNameIn, textOf } from './message.text.ts';

const published = columns(Message, 'm', ['id', 'orgId', 'orgIds']);
type Published = RowOf<typeof published>;

/** Notifies the open browsers; for a message of an organization only those of users who see it. */
async function publishMessages(companyId: string, rows: readonly Published[]): Promise<void> {
  const all = (r: Published): boolean => r.orgId === null && r.orgIds === null;
  const some = rows.filter((r) => !all(r));
  await emitLive(
    companyId,
    'message',
    rows.filter(all).map((r) => r.id),
    null,
  );
  await emitLive(
    companyId,
    'message',
    some.map((r) => r.id),
    some.flatMap((r) => (r.orgId === null ? r.orgIds! : [r.orgId])),
  );
}

const cut = (text: string | null, length: number): string | null => text?.slice(0, length) ?? null;

export type NewMessage = Omit<Event<typeof message>, 'data'> & { data: EventData<typeof message, 'message'> | null };

export async function storeMessages(messages: readonly NewMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.flatMap(({ id, at, companyId, data }) =>
    data && companyId
      ? [
          {
            id,
            company_id: companyId,
            org_id: data.orgId,
            org_ids: data.orgIds ?? null,
            type: data.type,
            level: data.level,
            object_id: cut(data.objectId, 128),
            object_name: cut(data.objectName, 256),
            expires_at: data.expiresAt,
            values: data.values,
            created_at: new Date(at).toISOString(),
          },
        ]
      : [],
  );
  // Without `returning`: no session that sees all, including the system's, can read a part.
  await currentSql().query(
    `
      insert into message (
        id, company_id, org_id, org_ids, type, level, object_id, object_name, expires_at, "values", created_at
      )
      select id, company_id, org_id, org_ids, type, level, object_id, object_name, expires_at, "values", created_at
      from jsonb_to_recordset($1::jsonb) as m(
        id uuid, company_id uuid, org_id uuid, org_ids uuid[], type int, level text, object_id text,
        object_name text, expires_at timestamptz, "values" jsonb, created_at timestamptz
      )
      on conflict do nothing
    `,
    [JSON.stringify(rows)],
  );
  const companyId = messages[0]?.companyId;
  if (companyId)
    await publishMessages(
      companyId,
      rows.map((r) => ({ id: r.id, orgId: r.org_id, orgIds: r.org_ids })),
    );
}

/** Stores that what messages tell of is over. A message that was deleted meanwhile is ignored. */
export async function endMessages(ended: readonly Event<typeof message>[]): Promise<void> {
  if (ended.length === 0) return;
  const rows = await currentSql().rows(
    published,
    `
      update message m
      set ended_at = to_timestamp(x.at / 1000.0)
      from jsonb_to_recordset($1::jsonb) as x(id uuid, at float8)
      where m.id = x.id and m.ended_at is null
      returning ${published}
    `,
    [JSON.stringify(ended.flatMap(({ at, data }) => (data && 'id' in data ? [{ id: data.id, at }] : [])))],
  );
  await publishMessages(ended[0]!.companyId!, rows);
}

/** SQL: messages and alarm groups; `$1` is the reader. */
const allSql = `
  (
    select m.id, m.type, m.level, m.object_id, m.object_name, m.expires_at, m."values", m.created_at,
      not (${unread('$1')}) as read, 1 as devices, m.ended_at is not null as ended
    from message m
    union all
    select x.id, x.type, x.level, x.object_id, coalesce(x.object_name, x.cause_name), null, x."values", x.told_at,
      x.read, x.devices, false
    from (${groupsSql}) x
  ) m
`;
const daysLeft = (expiresAt: string | null): number | null =>
  expiresAt === null ? null : Math.max(0, Math.ceil((new Date(expiresAt).getTime() - Date.now()) / 86_400_000));

const summary = columns(Message, 'm', ['type'], {
  total: computed<number>('count(*)::int'),
  expiresAt: computed<string | null>('min(m.expires_at)', iso),
  createTime: computed<string>('max(m.created_at)', iso),
});

export async function notices(): Promise<RouteReturn<typeof listNotices>> {
  const who = context();
  const rows = await currentSql().rows(
    summary,
    `
      select ${summary}
      from ${allSql}
      where not m.read
      group by type
      order by max(created_at) desc, type
    `,
    [who.userId],
  );
  return rows.map((r) => ({
    type: r.type,
    title: textOf(r.type, who.language).title,
    total: r.total,
    date: daysLeft(r.expiresAt),
    createTime: r.createTime,
  }));
}

type Query = RouteInput<typeof listMessages>['query'];
const stored = columnNames(Message, 'm');
const sorts = {
  createTime: stored.createdAt,
  // From least to most urgent.
  level: `array_position(array['low', 'medium', 'high'], ${stored.level}::text)`,
  objectName: alphabetic(stored.objectName),
};
const filterColumns = {
  type: filterBy.number(stored.type),
  level: filterBy.text(stored.level),
  objectName: filterBy.text(stored.objectName),
  createTime: filterBy.moment(stored.createdAt),
};
const row = columns(Message, 'm', ['id', 'type', 'level', 'objectId', 'objectName', 'expiresAt', 'values'], {
  createTime: column(Message, 'm', 'createdAt'),
  read: computed<boolean>('m.read'),
  devices: computed<number>('m.devices'),
  ended: computed<boolean>('m.ended'),
});

export async function messagePage(query: Query): Promise<RouteReturn<typeof listMessages>> {
  const who = context();
  const page = await readPage({
    query,
    record: row,
    from: allSql,
    values: [who.userId],
    searched: ['object_name'],
    filters: filterColumns,
    where: (add) => [
      ...(query.tab ? [query.tab === 'device' ? deviceTable : `not (${deviceTable})`] : []),
      ...(query.from ? [`created_at >= ${add(query.from)}`] : []),
      ...(query.to ? [`created_at <= ${add(query.to)}`] : []),
      ...(query.read === undefined ? [] : [query.read === 'true' ? 'm.read' : 'not m.read']),
    ],
    sorts,
    order: 'created_at desc, id desc',
  });
  return {
    ...page,
    records: page.records.map(({ expiresAt, values: figures, devices, ended, ...r }) => {
      const date = daysLeft(expiresAt);
      return {
        ...r,
        objectName: objectNameIn(who.language, r.objectName, figures),
        date,
        ...textOf(
          r.type,
          who.language,
          { ...figures, object: r.objectName ?? '', ...(date === null ? {} : { days: date }) },
          devices,
          ended,
        ),
      };
    }),
  };
}

/** Marks unread messages among these as read; returns their number. */
export async function markRead(which: { ids: readonly string[] } | { type: number } | 'all'): Promise<number> {
  const who = context();
  const [condition, value] =
    which === 'all'
      ? ['$3::int is null', null]
      : 'type' in which
        ? ['m.type = $3', which.type]
        : ['m.id = any ($3::uuid[])', which.ids];
  const rows = await currentSql().rows(
    published,
    `
      with marked as (
        insert into message_read (company_id, user_id, message_id)
        select $1, $2, id
        from message m
        where ${condition} and ${unread('$2')}
        on conflict do nothing
        returning message_id
      )
      select ${published}
      from message m
      join marked on marked.message_id = m.id
    `,
    [who.companyId, who.userId, value],
  );
  await publishMessages(who.companyId, rows);
  const groups = await readGroups(which);
  await emitLive(who.companyId, 'message', groups, null);
  return rows.length + groups.length;
}

const removed = columns(Message, 'm', ['id', 'orgId', 'orgIds', 'type', 'objectName']);

export async function removeMessages(
  ids: readonly string[],
): Promise<{ id: string; type: number; objectName: string | null }[]> {
  const who = context();
  const rows = await currentSql().rows(
    removed,
    `
      delete from message m
      where id = any ($1::uuid[])
      returning ${removed}
    `,
    [ids],
  );
  await publishMessages(who.companyId, rows);
  return [...rows, ...(await removeGroups(ids))];
}
