import { actions } from '@carillon/actions';
import { firmwareSql } from '../file/firmware-copy.entity.ts';
import { versionSql } from '../dispatch/version.ts';

/** The action that installs firmware. */
export const upgrade = Object.values(actions).find((action) => action.file === 'firmware')!;
/** Failures of a version after which a device is left alone until a user acts. */
const mostFailures = 3;

/** SQL: the last task of baseline `b` that requested approval of its version, with the columns of `t`. */
export const lastAskedSql = `
  (
    select t.*
    from task t
    where t.baseline_id = b.id
      and t.approval is not null
      and t.params ->> 'firmwareId' = b.firmware_id::text
    order by t.number desc
    limit 1
  )
`;
/** SQL: whether such a task `t` waits for its answer. */
export const isAskedSql = `(t.ended_at is null and t.approval ->> 'state' = 'asked')`;
/** SQL: whether it ended without a run, refused, cancelled or expired, and no user has retried since. */
export const isTurnedDownSql = `
  (t.ended_at >= b.retried_at and (t.approval ->> 'state' <> 'approved' or t.runs = 0))
`;

const hasSql = versionSql('d.firmware');
const needsSql = versionSql(`(r.file ->> 'version')`);
const leastSql = versionSql(`(r.file ->> 'least')`);
/** SQL: whether a device `d` is behind the version of its baseline `r`, and can get it. */
const isBehindSql = `
  (
    ${hasSql} < ${needsSql}
    and d.enabled
    and d.capabilities ? '${upgrade.key}'
    and (r.file ->> 'least' is null or ${hasSql} >= ${leastSql})
  )
`;

/**
 * SQL: the devices with the baseline that they follow: that of the highest rank (MAC, group, nearest site, model), then
 * the newest. Includes their state, and why those that are behind get nothing now. `retryMs` is how long a device is left
 * alone after a task of its baseline. A refused request is repeated when the devices that are behind exceed the
 * requested ones by more than a tenth: as in an approval, these are other devices. With `deviceId`, it reads only this
 * device, unless a request was refused: then the others count.
 */
export const followSql = (retryMs: string, deviceId?: string): string => `
  (
    with recursive
    ruling as (
      select b.id, b.mac, b.model, b.site_id, b.group_id, b.retried_at, f.file, coalesce(${isAskedSql}, false) as asks,
        coalesce(${isTurnedDownSql}, false) as turned_down
      from baseline b
      cross join lateral (select ${firmwareSql('b.firmware_id')} as file) f
      left join lateral ${lastAskedSql} t on true
      where b.active and f.file is not null
    ),
    under (baseline_id, site_id, steps) as (
      select r.id, r.site_id, 0 from ruling r where r.site_id is not null
      union all
      select u.baseline_id, s.id, u.steps + 1
      from under u
      join site_copy s on s.parent_id = u.site_id
      where u.steps < 100
    ),
    followed as (
      select distinct on (d.id) d.id, r.id as baseline_id
      from device_copy d
      join ruling r on r.file -> 'models' ? d.model
      left join under u on u.baseline_id = r.id and u.site_id = d.site_id
      where (r.mac = d.mac or r.model = d.model or r.group_id = any(d.group_ids) or u.site_id is not null)
        ${deviceId ? `and (d.id = ${deviceId} or (select bool_or(x.turned_down) from ruling x))` : ''}
      order by d.id, r.mac is null, r.group_id is null, u.steps, r.id desc
    ),
    tried as (
      select r.id as baseline_id, td.device_id, max(td.ended_at) as last_at,
        count(*) filter (where td.status = 'fail' or (td.status = 'timeout' and td.sent_at is not null)) as failures,
        bool_or(
          td.status in ('cancel', 'stop') or (t.status in ('cancel', 'stop') and td.status in ('fail', 'timeout'))
        ) as stopped
      from ruling r
      join task t on t.baseline_id = r.id and t.file ->> 'version' = r.file ->> 'version'
      join task_device td on td.task_id = t.id
      where td.ended_at >= r.retried_at
      group by r.id, td.device_id
    ),
    busy as (
      select distinct td.device_id
      from task_device td
      join task t on t.id = td.task_id
      where td.ended_at is null and t.action = '${upgrade.key}'
    ),
    refused as (
      select r.id as baseline_id
      from ruling r
      join followed f on f.baseline_id = r.id
      join device_copy d on d.id = f.id
      left join link_session s on s.device_id = d.id
      left join baseline_asked a on a.baseline_id = r.id and a.device_id = d.id
      where r.turned_down
      group by r.id
      having 10 * count(*) filter (
        where a.device_id is null and s.online and ${isBehindSql} and d.id not in (select device_id from busy)
      ) <= count(a.device_id)
    ),
    compared as (
      select d.*, f.baseline_id, r.file ->> 'version' as wanted, coalesce(s.online, false) as online,
        ${hasSql} as has, ${needsSql} as needs, r.file ->> 'least' as least, ${leastSql} as least_numbers,
        coalesce(t.failures, 0) as failures, coalesce(t.stopped, false) as stopped, r.asks,
        r.id in (select baseline_id from refused) as refused,
        coalesce(t.last_at > now() - make_interval(secs => ${retryMs}::float8 / 1000), false) as pause,
        b.device_id is not null as busy
      from followed f
      join ruling r on r.id = f.baseline_id
      join device_copy d on d.id = f.id
      left join link_session s on s.device_id = d.id
      left join tried t on t.baseline_id = f.baseline_id and t.device_id = d.id
      left join busy b on b.device_id = d.id
    ),
    stated as (
      select c.*,
        case
          when c.firmware = c.wanted or c.has = c.needs then 'onVersion'
          when c.has is null or c.needs is null then 'unknown'
          when c.has > c.needs then 'newer'
          when not c.enabled or not c.capabilities ? '${upgrade.key}' then 'unable'
          when c.least is not null and (c.least_numbers is null or c.has < c.least_numbers) then 'unable'
          when c.failures >= ${mostFailures} or c.stopped or c.refused then 'stuck'
          else 'behind'
        end as state
      from compared c
    )
    select x.*,
      case x.state
        when 'unable' then case
          when not x.enabled then 'disabled'
          when not x.capabilities ? '${upgrade.key}' then 'unsupported'
          else 'tooOld'
        end
        when 'stuck' then case
          when x.failures >= ${mostFailures} then 'failed'
          when x.stopped then 'stopped'
          else 'refused'
        end
        when 'behind' then case
          when x.busy then 'busy'
          when not x.online then 'offline'
          when x.asks then 'approval'
          when x.pause then 'pause'
        end
      end as reason
    from stated x
  )
`;

/** The target of a baseline's task: the devices that are due when it begins. */
export interface BaselineTarget {
  id: string;
  firmwareId: string;
}

/**
 * SQL: the devices `d` that a baseline must upgrade now, also while approval is pending; none when its firmware has
 * changed since.
 */
export const dueSql = ({ id, firmwareId }: BaselineTarget, add: (value: unknown) => string): string => `
  d.id in (
    select x.id
    from ${followSql('0')} x
    join baseline b on b.id = x.baseline_id
    where b.id = ${add(id)}
      and b.firmware_id = ${add(firmwareId)}
      and x.state = 'behind'
      and coalesce(x.reason, 'approval') = 'approval'
  )
`;

/** SQL: whether the creator `u` of a baseline may still upgrade all devices; false for an unknown one. */
export const maySql = `coalesce(u.active and u.all_orgs and u.permissions ?& array['addTask', '${upgrade.right}'], false)`;
