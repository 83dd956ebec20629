import { column, columns, computed, currentSql, holdLock, type RowOf } from '@carillon/persistence';
import { RedirectDevice, RedirectService } from './redirect-service.entity.ts';

/** Most parallel calls of one service and of one company; of a failing service only one. */
const ofService = 4;
const ofCompany = 8;

const due = columns(
  RedirectDevice,
  'r',
  ['id', 'companyId', 'orgId', 'serviceId', 'deviceId', 'deviceName', 'mac', 'wanted', 'tries', 'revision', 'noticeId'],
  {
    kind: column(RedirectService, 's', 'kind'),
    maker: column(RedirectService, 's', 'maker'),
    serviceAddress: column(RedirectService, 's', 'address'),
    userName: column(RedirectService, 's', 'userName'),
    serviceVersion: column(RedirectService, 's', 'version'),
  },
);
export type DueRedirect = RowOf<typeof due>;

/** SQL: whether a service `s` may be asked now. */
const readySql = 's.enabled and (s.failing_since is null or s.retry_at <= now())';

/**
 * Claims due devices of the installation for one attempt, a few per service and per company, so that a slow service
 * delays only itself. One process claims at a time, so that the limits hold for all together. If the process dies, they
 * are available again after the lease. Visits only services with due devices, by skipping through the index.
 */
export async function claimRedirects(limit: number, leaseMs: number): Promise<DueRedirect[]> {
  await holdLock('redirect claim');
  return currentSql().rows(
    due,
    `
      with recursive waits (service_id) as (
        (select r.service_id from redirect_device r where r.next_at is not null order by r.service_id limit 1)
        union all
        select (
          select r.service_id
          from redirect_device r
          where r.next_at is not null and r.service_id > x.service_id
          order by r.service_id
          limit 1
        )
        from waits x
        where x.service_id is not null
      ),
      busy as materialized (
        select r.service_id, r.company_id from redirect_device r where r.leased_until > now()
      ),
      turns as (
        select x.id, x.next_at, row_number() over (partition by s.id order by x.next_at, x.id) as turn, s.company_id
        from waits
        join redirect_service s on s.id = waits.service_id
        cross join lateral (
          select r.id, r.next_at
          from redirect_device r
          where r.service_id = s.id
            and r.next_at <= now()
            and (r.leased_until is null or r.leased_until <= now())
          order by r.next_at, r.id
          limit greatest(
            0,
            case when s.failing_since is null then ${ofService} else 1 end
              - (select count(*) from busy b where b.service_id = s.id)
          )
          for update skip locked
        ) x
        where ${readySql}
      ),
      free as (
        select t.id, t.turn, t.next_at, row_number() over (partition by t.company_id order by t.turn, t.next_at)
          + coalesce(b.of_company, 0) as place
        from turns t
        left join (select company_id, count(*) as of_company from busy group by company_id) b using (company_id)
      ),
      taken as (select f.id from free f where f.place <= ${ofCompany} order by f.turn, f.next_at limit $1)
      update redirect_device r
      set tries = r.tries + 1, leased_until = now() + make_interval(secs => $2 / 1000.0)
      from redirect_service s
      where r.id in (select id from taken) and s.id = r.service_id
      returning ${due}
    `,
    [limit, leaseMs],
  );
}

/** SQL: whether the attempt `$1` to `$3` still counts: the lease may have run out, and what is wanted changed. */
const currentSqlOf = 'r.id = $1 and r.tries = $2 and r.revision = $3';
const key = ({ id, tries, revision }: DueRedirect) => [id, tries, revision];

/** Stores that the service sends the phone to the address. Returns false when the attempt does not count any more. */
export async function settleRegistered(row: DueRedirect, address: string): Promise<boolean> {
  const { rowCount } = await currentSql().query(
    `
      update redirect_device r
      set state = 'registered', address = $4::text, since = case when r.address = $4::text then r.since else now() end, tries = 0,
        failure = null, failure_values = '{}', next_at = null, leased_until = null, notice_id = null
      where ${currentSqlOf}
    `,
    [...key(row), address],
  );
  return rowCount === 1;
}

/** Forgets a device that was taken off. Returns false when the attempt does not count any more. */
export async function settleRemoved(row: DueRedirect): Promise<boolean> {
  const { rowCount } = await currentSql().query(`delete from redirect_device r where ${currentSqlOf}`, key(row));
  return rowCount === 1;
}

export interface Failing {
  failure: string;
  values: Record<string, string>;
  /** When it is tried again; null: never by itself. */
  pauseMs: number | null;
  noticeId: string | null;
}

/** Stores why an attempt failed. Returns false when it does not count any more. */
export async function settleFailed(
  row: DueRedirect,
  { failure, values, pauseMs, noticeId }: Failing,
): Promise<boolean> {
  const { rowCount } = await currentSql().query(
    `
      update redirect_device r
      set state = 'failed', failure = $4, failure_values = $5, leased_until = null, notice_id = $7,
        next_at = now() + make_interval(secs => $6::float8 / 1000)
      where ${currentSqlOf}
    `,
    [...key(row), failure, JSON.stringify(values), pauseMs, noticeId],
  );
  return rowCount === 1;
}

/** Releases a device whose attempt does not count any more, so that the next one need not wait for the lease. */
export const release = ({ id, tries }: DueRedirect) =>
  currentSql().query('update redirect_device set leased_until = null where id = $1 and tries <= $2', [id, tries]);

/**
 * Has other companies' registrations of a MAC sent again that was just taken off: one that the service refused because
 * the MAC was taken, and one that went through the same account and is gone now. Call inside of `platform()`.
 */
export const resendElsewhere = ({ companyId, mac, maker }: DueRedirect) =>
  currentSql().query(
    `
      update redirect_device r
      set state = 'waiting', tries = 0, revision = r.revision + 1, next_at = now()
      from redirect_service s
      where r.mac = $1 and r.wanted and r.company_id <> $2 and s.id = r.service_id and s.maker = $3
    `,
    [mac, companyId, maker],
  );

/** Has registrations sent again that name a former address of this server. Call inside of `platform()`. */
export async function resendTo(server: string, most: number): Promise<number> {
  const { rowCount } = await currentSql().query(
    `
      update redirect_device r
      set state = 'waiting', tries = 0, revision = r.revision + 1, next_at = now()
      where r.id in (
        select o.id
        from redirect_device o
        where o.wanted and o.state = 'registered' and o.address <> $1
        limit $2
        for update skip locked
      )
    `,
    [server, most],
  );
  return rowCount;
}

/**
 * Stores that the calls of a service fail, and when it is asked again: after the pause of this many failures, or not by
 * itself without pauses. Parallel calls that fail together count as one failure.
 */
export const noteFailing = (
  serviceId: string,
  version: number,
  { failure, values, pauses }: { failure: string; values: Record<string, string>; pauses: readonly number[] | null },
) =>
  currentSql().query(
    `
      update redirect_service s
      set failing_since = coalesce(s.failing_since, now()), failure = $3, failure_values = $4, tries = s.tries + 1,
        retry_at = now() + make_interval(
          secs => ($5::float8[])[least(s.tries + 1, array_length($5::float8[], 1))] / 1000
        )
      where s.id = $1 and s.version = $2 and (
        $5::float8[] is null or s.failing_since is null or s.retry_at <= now()
      )
    `,
    [serviceId, version, failure, JSON.stringify(values), pauses],
  );

/** Stores that a service answers. */
export async function noteAnswering(serviceId: string): Promise<void> {
  await currentSql().query(
    `
      update redirect_service s
      set failing_since = null, failure = null, failure_values = '{}', tries = 0, retry_at = null
      where s.id = $1 and s.failing_since is not null
    `,
    [serviceId],
  );
}

/** Has all devices registered again: another account knows none of them. */
export async function registerAgain(serviceId: string): Promise<void> {
  await currentSql().query(
    `
      update redirect_device r
      set state = 'waiting', address = null, since = null, failure = null, failure_values = '{}', tries = 0,
        revision = r.revision + 1, next_at = now()
      where r.service_id = $1 and r.wanted
    `,
    [serviceId],
  );
}

const noticed = columns(RedirectDevice, 'r', [], { n: computed<number>('count(*)::int') });

/** Returns how many devices of a service have a notice. */
export async function noticedOf(serviceId: string): Promise<number> {
  const [row] = await currentSql().rows(
    noticed,
    `select ${noticed} from redirect_device r where r.service_id = $1 and r.notice_id is not null`,
    [serviceId],
  );
  return row!.n;
}
