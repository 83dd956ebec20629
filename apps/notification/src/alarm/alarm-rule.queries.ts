import type { AlarmLevel, listAlarmSilences, RouteReturn } from '@carillon/contracts';
import { columns, computed, currentSql, iso, uuidv7 } from '@carillon/persistence';
import { Alarm } from './alarm.entity.ts';
import { AlarmRule, AlarmSilence } from './alarm-rule.entity.ts';
import { raisedKinds } from './alarm.kinds.ts';

const rule = columns(AlarmRule, 'r', ['kind', 'level', 'enabled']);
export interface Rule {
  level: AlarmLevel;
  enabled: boolean;
}

/** Returns the setting of each kind: the company's, otherwise the default. */
export async function rules(): Promise<Map<number, Rule>> {
  const rows = await currentSql().rows(rule, `select ${rule} from alarm_rule r`);
  const said = new Map(rows.map((r) => [r.kind, r]));
  return new Map(
    Object.entries(raisedKinds).map(([kind, { level }]) => [
      Number(kind),
      said.get(Number(kind)) ?? { level, enabled: true },
    ]),
  );
}

export async function setRule(companyId: string, kind: number, { level, enabled }: Rule): Promise<void> {
  await currentSql().query(
    `
      insert into alarm_rule (company_id, kind, level, enabled)
      values ($1, $2, $3, $4)
      on conflict (company_id, kind) do update set level = excluded.level, enabled = excluded.enabled
    `,
    [companyId, kind, level, enabled],
  );
}

/** SQL: whether a silence `s` matches an episode `a`. */
const ofEpisode = `
  (s.org_id is null or s.org_id = a.org_id)
  and (s.kind is null or s.kind = a.kind)
  and (s.site_id is null or s.site_id = a.site_id)
  and (s.device_id is null or s.device_id = a.device_id)
`;

const one = columns(AlarmSilence, 's', ['orgId', 'kind', 'siteId', 'deviceId']);
export type Silence = { orgId: string | null; kind: number | null; siteId: string | null; deviceId: string | null };

export function silences(): Promise<Silence[]> {
  return currentSql().rows(one, `select ${one} from alarm_silence s where s.until > now()`);
}

const many = columns(AlarmSilence, 's', [], { n: computed<number>('count(*)::int') });
/** Returns the number of active silences that the user sees. */
export const silenceCount = async (): Promise<number> =>
  (await currentSql().rows(many, `select ${many} from alarm_silence s where s.until > now()`))[0]!.n;

export const isSilent = (
  all: readonly Silence[],
  e: { orgId: string | null; kind: number; siteId: string | null; deviceId: string },
): boolean =>
  all.some(
    (s) =>
      (s.orgId === null || s.orgId === e.orgId) &&
      (s.kind === null || s.kind === e.kind) &&
      (s.siteId === null || s.siteId === e.siteId) &&
      (s.deviceId === null || s.deviceId === e.deviceId),
  );

const listed = columns(AlarmSilence, 's', ['id', 'siteId', 'deviceId', 'createdBy'], {
  type: computed<number | null>('s.kind'),
  siteName: computed<string | null>('(select t.name from site_copy t where t.id = s.site_id)'),
  deviceName: computed<string | null>('(select d.name from device_copy d where d.id = s.device_id)'),
  until: computed<string>('s.until', iso),
});
export function silenceList(): Promise<RouteReturn<typeof listAlarmSilences>> {
  const sql = `select ${listed} from alarm_silence s where s.until > now() order by s.until, s.id`;
  return currentSql().rows(listed, sql);
}

const until = columns(AlarmSilence, 's', [], { until: computed<string>('s.until', iso) });
const group = columns(Alarm, 'a', ['groupId']);

/**
 * Adds a silence for each of these organizations, or for all. Returns when it ends, and the ids of the alarm groups
 * that it covers now.
 */
export async function addSilence(
  silence: { companyId: string; createdBy: string; orgIds: readonly (string | null)[]; minutes: number },
  what: { kind: number | null; siteId: string | null; deviceId: string | null },
): Promise<{ until: string; groups: string[] }> {
  const [added] = await currentSql().rows(
    until,
    `
      insert into alarm_silence as s (id, company_id, org_id, kind, site_id, device_id, until, created_by)
      select x.id, $2, x.org, $3, $4, $5, now() + make_interval(mins => $6), left($7, 128)
      from jsonb_to_recordset($1::jsonb) as x(id uuid, org uuid)
      returning ${until}
    `,
    [
      JSON.stringify(silence.orgIds.map((org) => ({ id: uuidv7(), org }))),
      silence.companyId,
      what.kind,
      what.siteId,
      what.deviceId,
      silence.minutes,
      silence.createdBy,
    ],
  );
  const quiet = await currentSql().rows(
    group,
    `
      update alarm a
      set silenced = true
      where a.ended_at is null
        and not a.silenced
        and exists (select 1 from alarm_silence s where s.until > now() and ${ofEpisode})
      returning ${group}
    `,
  );
  return { until: added!.until, groups: quiet.map((r) => r.groupId) };
}

const loud = columns(Alarm, 'a', ['id', 'groupId', 'kind', 'orgId'], {
  level: computed<AlarmLevel>('(select l.level from alarm_line l where l.id = a.line_id)'),
});

/**
 * Deletes expired silences and notifies of alarms that are still open, as if they began now. Covers the session's
 * company.
 */
export async function endSilences() {
  const { rowCount } = await currentSql().query('delete from alarm_silence where until <= now()');
  if (rowCount === 0) return [];
  return currentSql().rows(
    loud,
    `
      update alarm a
      set silenced = false, told = true, raised_at = clock_timestamp()
      where a.ended_at is null
        and a.silenced
        and not exists (select 1 from alarm_silence s where ${ofEpisode})
      returning ${loud}
    `,
  );
}
