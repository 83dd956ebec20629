import type { AlarmLevel, listEmailNotices, MailData, RouteInput, RouteReturn } from '@carillon/contracts';
import { alphabetic, columnNames, columns, computed, currentSql, filterBy, type RowOf } from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { groupsSql } from '../alarm/alarm-list.queries.ts';
import { AlarmGroup } from '../alarm/alarm.entity.ts';
import { EmailNotice } from './email-notice.entity.ts';

export type EmailNoticeRecord = RouteReturn<typeof listEmailNotices>['records'][number];

const record = columns(
  EmailNotice,
  'n',
  [
    'id',
    'title',
    'emails',
    'roleIds',
    'userIds',
    'sendType',
    'time',
    'zone',
    'kinds',
    'level',
    'enabled',
    'sentAt',
    'updatedAt',
  ],
  {
    organization: computed<EmailNoticeRecord['organization']>(
      `(select jsonb_build_object('id', o.id, 'name', o.name) from organization_copy o where o.id = n.org_id)`,
    ),
  },
);
const name = columnNames(EmailNotice, 'n');
const rank = (level: string): string => `array_position(array['low', 'medium', 'high'], ${level}::text)`;
const sorts = {
  title: alphabetic(name.title),
  sendType: name.sendType,
  level: rank(name.level),
  sentAt: name.sentAt,
  updatedAt: name.updatedAt,
};
const filterColumns = {
  title: filterBy.text(name.title),
  sendType: filterBy.text(name.sendType),
  level: filterBy.text(name.level),
  enabled: filterBy.flag(name.enabled),
  updatedAt: filterBy.moment(name.updatedAt),
};

export async function noticePage(
  query: RouteInput<typeof listEmailNotices>['query'],
): Promise<RouteReturn<typeof listEmailNotices>> {
  return readPage({
    query,
    record,
    from: 'email_notice n',
    searched: ['n.title', "array_to_string(n.emails, ' ')"],
    filters: filterColumns,
    sorts,
    order: `${alphabetic('n.title')}, n.id`,
  });
}

export async function noticeById(id: string): Promise<EmailNoticeRecord | undefined> {
  return (await currentSql().rows(record, `select ${record} from email_notice n where n.id = $1`, [id]))[0];
}

/** SQL: the next time of day of a timed notice `n`. */
const nextTime = `(
  select min(t.at)
  from (
    select (((now() at time zone n.zone)::date + d.day) + n.time::time) at time zone n.zone as at
    from generate_series(0, 1) as d(day)
  ) t
  where t.at > now()
)`;

/** Sets the next time after a change: a timed notice waits for its time, others for an event. */
export async function setTime(id: string): Promise<void> {
  await currentSql().query(
    `
      update email_notice n
      set next_at = case when n.enabled and n.send_type = 'timed' then ${nextTime} end
      where n.id = $1
    `,
    [id],
  );
}

/**
 * Makes immediate notices of these events due, but not before a pause after their last mail. Locks those that are due
 * already as well: their sender waits until the events are committed, and mails them.
 */
export async function noticesDue(
  alarms: readonly { kind: number; level: AlarmLevel; orgId: string | null }[],
  { gatherMs, pauseMs }: { gatherMs: number; pauseMs: number },
): Promise<void> {
  const kinds = new Map(alarms.map((o) => [`${o.kind} ${o.level} ${o.orgId}`, o]));
  if (kinds.size === 0) return;
  await currentSql().query(
    `
      with concerned as (
        select n.id, n.next_at
        from email_notice n
        where n.enabled
          and n.send_type = 'immediate'
          and exists (
            select 1
            from jsonb_to_recordset($1::jsonb) as m(kind int, level text, "orgId" uuid)
            where (n.kinds = '{}' or m.kind = any (n.kinds))
              and ${rank('m.level')} >= ${rank('n.level')}
              and (n.org_id is null or m."orgId" is null or m."orgId" = n.org_id)
          )
        order by n.id
        for no key update
      )
      update email_notice n
      set next_at = greatest(
        now() + make_interval(secs => $2 / 1000.0), n.sent_at + make_interval(secs => $3 / 1000.0)
      )
      from concerned c
      where n.id = c.id and c.next_at is null
    `,
    [JSON.stringify([...kinds.values()]), gatherMs, pauseMs],
  );
}

const due = columns(EmailNotice, 'n', [
  'id',
  'companyId',
  'orgId',
  'title',
  'emails',
  'roleIds',
  'userIds',
  'sendType',
  'kinds',
  'level',
  'language',
]);

const dueId = columns(EmailNotice, 'n', ['id', 'companyId', 'orgId']);
export type DueNotice = RowOf<typeof dueId>;
export function dueNotices(limit: number) {
  return currentSql().rows(
    dueId,
    `select ${dueId} from email_notice n where n.next_at <= now() order by n.next_at limit $1`,
    [limit],
  );
}

/**
 * Locks a due notice for a single sender; returns nothing when another process had it. Waits for events that are about
 * to be committed.
 */
export async function takeNotice(id: string) {
  const sql = `select ${due} from email_notice n where n.id = $1 and n.next_at <= now() for update`;
  return (await currentSql().rows(due, sql, [id]))[0];
}

export async function postponeNotice(id: string, ms: number): Promise<void> {
  await currentSql().query(
    'update email_notice set next_at = now() + make_interval(secs => $2 / 1000.0) where id = $1',
    [id, ms],
  );
}

/** How long a mailed group stays quiet for a notice, although more alarms occur. */
const quiet = `interval '1 hour'`;

const item = columns(AlarmGroup, 'x', ['id', 'level', 'cause', 'causeName'], {
  type: computed<number>('x.type'),
  devices: computed<number>('x.devices'),
  object: computed<string>(`coalesce(x.object_name, '')`),
  values: computed<MailData<'alarms'>['alarms'][number]['values']>('x."values"'),
});

/**
 * Returns what a notice still has to mail, most urgent first, within its organization by the policies of the session.
 * `$1`, the reader, is null, because a notice is not a user.
 */
export function untold(noticeId: string) {
  return currentSql().rows(
    item,
    `
      select ${item}
      from (
        select l.id, l.type, l.level, l.cause, l.cause_name, l.object_name, l.devices, l."values", l.raised_at as at
        from (${groupsSql}) l
        where l.raised_at is not null
        union all
        select m.id, m.type, m.level, 'none', null, m.object_name, 1,
          m."values" || case
            when m.expires_at is null then '{}'
            else jsonb_build_object('days', greatest(0, ceil(extract(epoch from m.expires_at - now()) / 86400)))
          end,
          m.created_at
        from message m
      ) x
      join email_notice n on n.id = $2
      left join email_notice_told t on t.notice_id = n.id and t.item_id = x.id
      where $1::uuid is null
        and x.at > coalesce(t.at, n.since)
        and (t.at is null or t.at < now() - ${quiet})
        and (n.kinds = '{}' or x.type = any (n.kinds))
        and ${rank('x.level')} >= ${rank('n.level')}
      order by ${rank('x.level')} desc, x.devices desc, x.id
    `,
    [null, noticeId],
  );
}

/**
 * Records the mailed items. A timed notice is due again at its time, any other at the next event or when a quiet period
 * ends.
 */
export async function noticeTold(id: string, itemIds: readonly string[]): Promise<void> {
  await currentSql().query(
    `
      insert into email_notice_told (notice_id, item_id, company_id, at)
      select n.id, i.id, n.company_id, now()
      from email_notice n
      cross join unnest($2::uuid[]) i(id)
      where n.id = $1
      on conflict (notice_id, item_id) do update set at = excluded.at
    `,
    [id, itemIds],
  );
  await currentSql().query(
    `
      update email_notice n
      set sent_at = case when $2 then now() else n.sent_at end,
        next_at = case
          when n.send_type = 'timed' then ${nextTime}
          else (
            select min(t.at) + ${quiet}
            from email_notice_told t
            join (
              select line_id, max(raised_at) as raised_at from alarm_sum group by line_id
            ) s on s.line_id = t.item_id
            where t.notice_id = n.id and s.raised_at > t.at
          )
        end
      where n.id = $1
    `,
    [id, itemIds.length > 0],
  );
}

export async function forgetTold(before: Date): Promise<number> {
  return (await currentSql().query('delete from email_notice_told where at < $1', [before])).rowCount;
}
