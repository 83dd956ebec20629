import { columns, computed, currentSql } from '@carillon/persistence';
import { Alarm } from './alarm.entity.ts';
import { eventSql, type Touched } from './alarm.queries.ts';

const aging = columns(Alarm, 'a', [], { companyId: computed<string>('distinct a.company_id') });

/** Returns the companies with events that became too old, or with alarms to delete. Covers the installation. */
export async function companiesWithOld(aged: Date, forgotten: Date): Promise<string[]> {
  const rows = await currentSql().rows(
    aging,
    `
      select ${aging}
      from alarm a
      where (a.ended_at is null and ${eventSql} and a.last_at < $1) or a.ended_at < $2
      order by 1
    `,
    [aged, forgotten],
  );
  return rows.map((r) => r.companyId);
}

/** Ends events that nobody acknowledged before this time. */
export async function endOldEvents(before: Date): Promise<(Touched & { companyId: string })[]> {
  const aged = columns(Alarm, 'a', ['id', 'companyId', 'groupId']);
  return currentSql().rows(
    aged,
    `
      update alarm a
      set ended_at = now(), ended = 'aged'
      where a.ended_at is null and ${eventSql} and a.last_at < $1
      returning ${aged}
    `,
    [before],
  );
}

/** Deletes at most `most` ended alarms; returns their number. */
export async function forgetAlarms(before: Date, most: number): Promise<number> {
  const gone = (
    await currentSql().query('delete from alarm where id in (select id from alarm where ended_at < $1 limit $2)', [
      before,
      most,
    ])
  ).rowCount;
  await currentSql().query(
    `
      with empty as (
        delete from alarm_line l
        where l.began_at < $1 and not exists (select 1 from alarm a where a.line_id = l.id)
        returning id
      ),
      sums as (delete from alarm_sum s using empty e where s.line_id = e.id)
      delete from alarm_read r using empty e where r.line_id = e.id
    `,
    [before],
  );
  await currentSql().query('delete from alarm_order where until < $1', [before]);
  return gone;
}
