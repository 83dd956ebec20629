import { alarmKinds, type AlarmCause, type AlarmEnd, type AlarmLevel } from '@carillon/contracts';
import { columns, computed, currentSql, holdLock, iso, type RowOf, uuidv7 } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { Alarm, AlarmGroup, AlarmSum } from './alarm.entity.ts';
import { eventKinds } from './alarm.kinds.ts';
import type { Signal } from './signal.queries.ts';

/**
 * Locks the alarms of a company, so that changes of its groups and sums never deadlock. Call it first in such a
 * transaction.
 */
export const holdAlarms = (companyId: string) => holdLock(`alarm ${companyId}`);

const touched = columns(Alarm, 'a', ['id', 'groupId']);
/** An episode and its group. */
export type Touched = RowOf<typeof touched>;

/** Ends the open episodes of these signals, and returns them. */
export async function endEpisodes(over: readonly Signal[]): Promise<Touched[]> {
  if (over.length === 0) return [];
  return currentSql().rows(
    touched,
    `
      update alarm a
      set ended_at = greatest(a.last_at, m.at), ended = m.ended
      from jsonb_to_recordset($1::jsonb) as m("deviceId" uuid, kind int, sub int, at timestamptz, ended text)
      where a.device_id = m."deviceId" and a.kind = m.kind and a.sub = m.sub and a.ended_at is null
      returning ${touched}
    `,
    [JSON.stringify(over)],
  );
}

const fact = columns(Alarm, 'm', [], {
  deviceId: computed<string>('m."deviceId"'),
  kind: computed<number>('m.kind'),
  sub: computed<number>('m.sub'),
  at: computed<string>('m.at', iso),
  ownerEpoch: computed<number>('m."ownerEpoch"'),
  source: computed<string | null>('m.source'),
  detail: computed<string | null>('m.detail'),
  orgId: computed<string | null>('d.org_id'),
  deviceEpoch: computed<number | null>('d.owner_epoch'),
  enabled: computed<boolean | null>('d.enabled'),
  name: computed<string>('d.name'),
  mac: computed<string>('d.mac'),
  siteId: computed<string | null>('t.id'),
  siteName: computed<string | null>('t.name'),
  online: computed<boolean>('coalesce(l.online, false)'),
  orderedKinds: computed<number[] | null>('o.kinds'),
  orderedAt: computed<string | null>('o.at', iso),
  orderedUntil: computed<string | null>('o.until', iso),
  /** The open episode, or the last one. */
  lastId: computed<string | null>('e.id'),
  lastGroup: computed<string | null>('e.line_id'),
  lastEnded: computed<AlarmEnd | null>('e.ended'),
  lastEndedAt: computed<string | null>('e.ended_at', iso),
  lineFails: computed<boolean>(
    `m.kind = ${alarmKinds.registrationFailed} and m.sub = 0 and exists (
      select 1 from alarm a where a.device_id = m."deviceId" and a.kind = m.kind and a.ended_at is null and a.sub <> 0
    )`,
  ),
});
export type Fact = RowOf<typeof fact>;

/**
 * Returns the facts about devices that may get an alarm. Each is looked up by its key: without statistics of freshly
 * filled tables PostgreSQL would read all rows for each (docs/adr/0007).
 */
export function factsOf(raised: readonly Signal[]): Promise<Fact[]> {
  return currentSql().rows(
    fact,
    `
      select ${fact}
      from jsonb_to_recordset($1::jsonb) as m(
        "deviceId" uuid, kind int, sub int, at timestamptz, "ownerEpoch" int, source text, detail text
      )
      left join lateral (select * from device_copy y where y.id = m."deviceId" offset 0) d on true
      left join lateral (select * from site_copy y where y.id = d.site_id offset 0) t on true
      left join lateral (select * from link_session y where y.device_id = m."deviceId" offset 0) l on true
      left join lateral (select * from alarm_order y where y.device_id = m."deviceId" offset 0) o on true
      left join lateral (
        select a.id, a.line_id, a.ended, a.ended_at
        from alarm a
        where a.device_id = m."deviceId" and a.kind = m.kind and a.sub = m.sub
        order by a.ended_at desc nulls first
        limit 1
      ) e on true
    `,
    [JSON.stringify(raised)],
  );
}

export interface Cause {
  cause: AlarmCause;
  causeId: string | null;
  causeName: string | null;
}
export interface NewEpisode extends Fact, Cause {
  level: AlarmLevel;
  silenced: boolean;
}
const groupOf = (e: NewEpisode): string => JSON.stringify([e.kind, e.cause, e.causeId]);

/** SQL: whether an alarm `a` is an event, which ends by acknowledgement or age. */
export const eventSql = `a.kind = any ('{${eventKinds.join(',')}}'::int[])`;
/** A device reports one reboot twice: as an event and by its hello. */
const twiceSeconds = 120;

/**
 * Raises alarms: continues an episode that is open or ended shortly before, or begins one, in the group of its kind and
 * cause. Returns the changed groups, those with news, and the episodes that are newly open.
 */
export async function raise(
  companyId: string,
  all: readonly NewEpisode[],
  continueMs: number,
): Promise<{ touched: string[]; told: NewEpisode[]; began: string[] }> {
  if (all.length === 0) return { touched: [], told: [], began: [] };
  const goesOn = (e: NewEpisode): boolean =>
    e.lastId !== null &&
    (e.lastEndedAt === null || (e.lastEnded === 'over' && Date.parse(e.lastEndedAt) > Date.parse(e.at) - continueMs));
  const [same, fresh] = [all.filter(goesOn), all.filter((e) => !goesOn(e))];
  if (same.length > 0)
    await currentSql().query(
      `
        update alarm a
        set count = a.count + case
            when a.ended_at is not null or ${eventSql} and m.at > a.last_at + interval '${twiceSeconds} s' then 1
            else 0
          end,
          ended_at = null, ended = null, last_at = greatest(a.last_at, m.at)
        from jsonb_to_recordset($1::jsonb) as m("lastId" uuid, at timestamptz)
        where a.id = m."lastId"
      `,
      [JSON.stringify(same)],
    );
  const groups = await groupsFor(companyId, fresh, continueMs);
  const rows = fresh.map((e) => ({ ...e, id: uuidv7(), groupId: groups.get(groupOf(e)) }));
  await currentSql().query(
    `
      insert into alarm (
        id, company_id, org_id, line_id, kind, device_id, sub, device_name, mac, site_id, detail, count, began_at,
        last_at, raised_at, silenced, told
      )
      select m.id, $2::uuid, m."orgId", m."groupId", m.kind, m."deviceId", m.sub, m.name, m.mac, m."siteId", m.detail, 1,
        m.at, m.at, now(), m.silenced, not m.silenced
      from jsonb_to_recordset($1::jsonb) as m(
        id uuid, "orgId" uuid, "groupId" uuid, kind int, "deviceId" uuid, sub int, name text, mac text, "siteId" uuid,
        detail text, at timestamptz, silenced boolean
      )
    `,
    [JSON.stringify(rows), companyId],
  );
  return {
    touched: [...same.map((e) => e.lastGroup!), ...groups.values()],
    told: fresh.filter((e) => !e.silenced),
    began: [...same.filter((e) => e.lastEndedAt !== null).map((e) => e.lastId!), ...rows.map((r) => r.id)],
  };
}

const group = columns(AlarmGroup, 'l', ['id'], { key: computed<string>('m.key') });

/** Returns the group of each kind and cause: the open one, one that ended shortly before, or a new one. */
async function groupsFor(
  companyId: string,
  episodes: readonly NewEpisode[],
  continueMs: number,
): Promise<Map<string, string>> {
  const wanted = new Map(episodes.map((e) => [groupOf(e), e]));
  const list = [...wanted].map(([key, { kind, cause, causeId, causeName, level, at }]) => ({
    key,
    id: uuidv7(),
    kind,
    cause,
    causeId,
    causeName,
    level,
    at,
  }));
  const found = await currentSql().rows(
    group,
    `
      select ${group}
      from jsonb_to_recordset($1::jsonb) as m(key text, kind int, cause text, "causeId" text)
      cross join lateral (
        select l.id
        from alarm_line l
        where l.kind = m.kind
          and l.cause = m.cause
          and l.cause_id is not distinct from m."causeId"
          and exists (
            select 1
            from alarm_sum s
            where s.line_id = l.id
              and (s.open > 0 or s.ended_at > now() - make_interval(secs => $2 / 1000.0))
          )
        order by l.began_at desc
        limit 1
      ) l
    `,
    [JSON.stringify(list), continueMs],
  );
  const groups = new Map(found.map((r) => [r.key, r.id]));
  const missing = list.filter((g) => !groups.has(g.key));
  await currentSql().query(
    `
      insert into alarm_line (id, company_id, kind, level, cause, cause_id, cause_name, began_at)
      select m.id, $2::uuid, m.kind, m.level, m.cause, m."causeId", m."causeName", m.at
      from jsonb_to_recordset($1::jsonb) as m(
        id uuid, kind int, level text, cause text, "causeId" text, "causeName" text, at timestamptz
      )
    `,
    [JSON.stringify(missing), companyId],
  );
  for (const g of missing) groups.set(g.key, g.id);
  return groups;
}

const summed = columns(AlarmSum, 's', ['groupId', 'orgId']);

/** Recounts groups within the session's access, and notifies the open browsers. */
export async function recount(companyId: string, groupIds: readonly string[]): Promise<void> {
  const ids = [...new Set(groupIds)];
  if (ids.length === 0) return;
  const before = await currentSql().rows(
    summed,
    `delete from alarm_sum s where s.line_id = any ($1::uuid[]) returning ${summed}`,
    [ids],
  );
  const after = await currentSql().rows(
    summed,
    `
      insert into alarm_sum as s (
        line_id, org_id, company_id, devices, open, waiting, silenced, count, began_at, last_at, ended_at, raised_at,
        device_id, device_name, detail
      )
      select a.line_id, a.org_id, a.company_id, count(distinct a.device_id), count(*) filter (where a.ended_at is null),
        count(*) filter (where a.ended_at is null and a.acknowledged_at is null and not a.silenced),
        count(*) filter (where a.ended_at is null and a.silenced), sum(a.count), min(a.began_at), max(a.last_at),
        max(a.ended_at), max(a.raised_at) filter (where not a.silenced), min(a.device_id::text)::uuid,
        (array_agg(a.device_name order by a.device_id::text))[1], (array_agg(a.detail order by a.device_id::text))[1]
      from alarm a
      where a.line_id = any ($1::uuid[])
      group by a.line_id, a.org_id, a.company_id
      returning ${summed}
    `,
    [ids],
  );
  await emitLive(
    companyId,
    'message',
    ids,
    [...before, ...after].map((r) => r.orgId),
  );
}

/** Moves the alarms of a device to its new organization, with its part of the sums. */
export async function moveAlarms(companyId: string, deviceIds: readonly string[]): Promise<void> {
  await holdAlarms(companyId);
  const rows = await currentSql().rows(
    touched,
    `
      update alarm a
      set org_id = d.org_id
      from device_copy d
      where a.device_id = any ($1::uuid[]) and d.id = a.device_id and a.org_id <> d.org_id
      returning ${touched}
    `,
    [deviceIds],
  );
  await recount(
    companyId,
    rows.map((r) => r.groupId),
  );
}

const seenTo = columns(Alarm, 'a', ['id', 'groupId'], { over: computed<boolean>('a.ended_at is not null') });

/** Acknowledges open episodes that the user sees; events end with that, and their end is published. */
export async function acknowledge(
  which: { ids: readonly string[] } | 'all',
): Promise<{ groups: string[]; ended: string[] }> {
  const who = context();
  const rows = await currentSql().rows(
    seenTo,
    `
      update alarm a
      set acknowledged_at = now(), acknowledged_by = left($1, 128),
        ended_at = case when ${eventSql} then now() end, ended = case when ${eventSql} then 'acknowledged' end
      where a.ended_at is null
        and a.acknowledged_at is null
        and ${which === 'all' ? '$2::uuid[] is null' : 'a.line_id = any ($2::uuid[])'}
      returning ${seenTo}
    `,
    [who.username, which === 'all' ? null : which.ids],
  );
  return {
    groups: [...new Set(rows.map((r) => r.groupId))],
    ended: rows.filter((r) => r.over).map((r) => r.id),
  };
}

const removed = columns(Alarm, 'a', ['groupId', 'kind', 'deviceName']);

/** Deletes ended groups, as far as the user sees them. */
export async function removeGroups(
  ids: readonly string[],
): Promise<{ id: string; type: number; objectName: string }[]> {
  const { companyId } = context();
  await holdAlarms(companyId);
  const rows = await currentSql().rows(
    removed,
    `
      delete from alarm a
      where a.line_id = any ($1::uuid[])
        and not exists (select 1 from alarm_sum s where s.line_id = a.line_id and s.open > 0)
      returning ${removed}
    `,
    [ids],
  );
  const groups = new Map(rows.map((r) => [r.groupId, { id: r.groupId, type: r.kind, objectName: r.deviceName }]));
  await recount(companyId, [...groups.keys()]);
  return [...groups.values()];
}
