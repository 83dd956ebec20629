import { alarmKinds, type AlarmEnd } from '@carillon/contracts';
import { columns, currentSql, type RowOf } from '@carillon/persistence';
import { AlarmSignal } from './alarm.entity.ts';

const signal = columns(AlarmSignal, 's', [
  'deviceId',
  'kind',
  'sub',
  'raised',
  'at',
  'ownerEpoch',
  'source',
  'detail',
  'ended',
]);
export type Signal = RowOf<typeof signal>;

export interface Raised {
  deviceId: string;
  kind: number;
  sub: number;
  /** Unix time in milliseconds. */
  at: number;
  ownerEpoch: number;
  source: string | null;
  detail: string | null;
  /** From now, milliseconds. */
  dueIn: number;
}

const fields = 'device_id, kind, sub, company_id, raised, at, due_at, owner_epoch, source, detail, ended';
const sameSql = (one: string) => `${one}.device_id = m.device_id and ${one}.kind = m.kind and ${one}.sub = m.sub`;

/**
 * Stores signals of alarms. A state that is open or waiting is not repeated, because devices repeat themselves; each
 * event counts.
 */
export async function storeRaised(companyId: string, raised: readonly Raised[], repeat: 'state' | 'event') {
  if (raised.length === 0) return;
  await currentSql().query(
    `
      insert into alarm_signal as s (${fields})
      select m.device_id, m.kind, m.sub, $2::uuid, true, to_timestamp(m.at / 1000.0),
        now() + make_interval(secs => m.due_in / 1000.0), m.owner_epoch, left(m.source, 256), left(m.detail, 256), null
      from jsonb_to_recordset($1::jsonb) as m(
        device_id uuid, kind int, sub int, at float8, owner_epoch int, source text, detail text, due_in float8
      )
      ${
        repeat === 'event'
          ? ''
          : `where not exists (select 1 from alarm a where ${sameSql('a')} and a.ended_at is null)
              or exists (select 1 from alarm_signal x where ${sameSql('x')})`
      }
      order by m.device_id, m.kind, m.sub
      on conflict (device_id, kind, sub) do update set raised = true, at = excluded.at,
        owner_epoch = excluded.owner_epoch, source = excluded.source, detail = excluded.detail, ended = null,
        due_at = case when s.raised then least(s.due_at, excluded.due_at) else excluded.due_at end
    `,
    [
      JSON.stringify(
        raised.map((r) => ({
          device_id: r.deviceId,
          kind: r.kind,
          sub: r.sub,
          at: r.at,
          owner_epoch: r.ownerEpoch,
          source: r.source,
          detail: r.detail,
          due_in: r.dueIn,
        })),
      ),
      companyId,
    ],
  );
}

export interface Over {
  deviceId: string;
  at: number;
  ownerEpoch: number;
  /** Lines whose alarm stays open. */
  keep?: readonly number[];
}

/** Stores the end of alarms of a kind, or of all kinds, for devices with open or waiting ones. Returns their number. */
export async function storeOver(
  companyId: string,
  kind: number | null,
  over: readonly Over[],
  ended: AlarmEnd,
): Promise<number> {
  if (over.length === 0) return 0;
  const { rows } = await currentSql().query(
    `
      insert into alarm_signal as s (${fields})
      select o.device_id, o.kind, o.sub, $2::uuid, false, to_timestamp(m.at / 1000.0), now(), m.owner_epoch, null,
        null, $4
      from jsonb_to_recordset($1::jsonb) as m(device_id uuid, at float8, owner_epoch int, keep int[])
      cross join lateral (
        select a.device_id, a.kind, a.sub from alarm a where a.device_id = m.device_id and a.ended_at is null
        union
        select x.device_id, x.kind, x.sub from alarm_signal x where x.device_id = m.device_id and x.raised
      ) o
      where ($3::int is null or o.kind = $3) and not o.sub = any (coalesce(m.keep, '{}'))
      order by o.device_id, o.kind, o.sub
      on conflict (device_id, kind, sub) do update set raised = false, at = excluded.at, due_at = now(),
        ended = excluded.ended
      returning s.kind
    `,
    [
      JSON.stringify(
        over.map((o) => ({ device_id: o.deviceId, at: o.at, owner_epoch: o.ownerEpoch, keep: o.keep ?? [] })),
      ),
      companyId,
      kind,
      ended,
    ],
  );
  return rows.length;
}

/**
 * Postpones waiting offline alarms of all companies, because the devices may come back: those of devices that were last
 * connected to `gateway`, or all.
 */
export async function waitForDevices(waitMs: number, gateway?: string): Promise<void> {
  await currentSql().query(
    `
      update alarm_signal
      set due_at = greatest(due_at, now() + make_interval(secs => $2 / 1000.0))
      where kind = $1
        and raised
        and (
          $3::text is null
          or device_id in (select l.device_id from link_session l where starts_with(l.gateway, $3 || '#'))
        )
    `,
    [alarmKinds.offline, waitMs, gateway ?? null],
  );
}

/**
 * Takes the due signals of the session's company exclusively. They are passed as an array: PostgreSQL expects the table
 * to be empty, as it mostly is, and would search all of them for each one. A signal that is changed meanwhile stays for
 * the next time.
 */
export function takeSignals(limit: number): Promise<Signal[]> {
  return currentSql().rows(
    signal,
    `
      delete from alarm_signal s
      where s.ctid = any(array(
        select d.ctid from alarm_signal d where d.due_at <= now() order by d.due_at limit $1 for update skip locked
      ))
      returning ${signal}
    `,
    [limit],
  );
}

const company = columns(AlarmSignal, 's', ['companyId']);
/** Returns companies with due signals, or with an expired silence. */
export async function companiesWithSignals(limit: number): Promise<string[]> {
  const rows = await currentSql().rows(
    company,
    `
      select distinct ${company} from alarm_signal s where s.due_at <= now()
      union
      select distinct ${company} from alarm_silence s where s.until <= now()
      limit $1
    `,
    [limit],
  );
  return rows.map((r) => r.companyId);
}
