import { preparedSql } from '@carillon/persistence';
import { fileSql } from '../file/file.ts';
import { epochOf, inFlightSql, momentaryActionsSql } from './due.ts';
import { answerWithin, emitCommands, sentRow } from './command.ts';
import type { Sending } from './send.ts';

/**
 * Sends a command again into a newer connection: the device answers a repeated id from memory and does it once
 * (device-link.md). Momentary commands are not repeated, because the result of the first sending is unknown.
 */
export async function resendCommands(
  companyId: string,
  deviceIds: readonly string[],
  { patience, links }: Pick<Sending, 'patience' | 'links'>,
): Promise<void> {
  const rows = await preparedSql().rows(
    sentRow,
    `
      with p as (
        select td.ctid as at, ${epochOf('td.device_id')} as epoch, t.action, t.params, t.traceparent, c.firmware,
          c.door_count, c.capabilities, ${fileSql('td.file_id')} as file
        from task_device td
        join task t on t.id = td.task_id
        left join device_copy c on c.id = td.device_id
        where td.device_id = any($1::uuid[])
          and td.status in ${inFlightSql}
          and td.expires_at > now()
          and ${epochOf('td.device_id')} > td.sent_epoch
          and t.action not in ${momentaryActionsSql}
          and (td.file_id is null or ${fileSql('td.file_id')} is not null)
        for update of td skip locked
      )
      update task_device td
      set sent_epoch = p.epoch, updated_at = now(),
        deadline_at = now() + make_interval(secs => ($2::jsonb ->> p.action)::float8 / 1000)
      from p
      where td.ctid = p.at
      returning ${sentRow}
    `,
    [deviceIds, answerWithin(patience)],
  );
  if (rows.length > 0) await emitCommands(companyId, rows, links);
}
