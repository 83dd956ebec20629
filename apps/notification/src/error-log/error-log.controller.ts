import { Controller, Inject } from '@nestjs/common';
import { listErrors, reportErrors, type RouteInput, type RouteReturn } from '@carillon/contracts';
import { alphabetic, columnNames, columns, currentSql, filterBy, holdLock } from '@carillon/persistence';
import { CONFIG, fail, Handle, readPage } from '@carillon/service';
import { context } from '@carillon/tenancy';
import type { NotificationConfig } from '../config.ts';
import { ErrorLog } from './error-log.entity.ts';

const entry = columns(ErrorLog, 'e', [
  'id',
  'at',
  'userId',
  'username',
  'url',
  'time',
  'type',
  'message',
  'stack',
  'info',
]);

const column = columnNames(ErrorLog, 'e');
const sorts = {
  time: column.time,
  message: alphabetic(column.message),
  username: alphabetic(column.username),
  url: column.url,
  type: column.type,
  at: column.at,
};
const filterColumns = {
  time: filterBy.moment(column.time),
  at: filterBy.moment(column.at),
  username: filterBy.text(column.username),
  type: filterBy.text(column.type),
  message: filterBy.text(column.message),
  url: filterBy.text(column.url),
};

/**
 * Stores browsers' local error logs: the contract limits their size, this class their number, so that a broken page
 * cannot fill the disk (SYS-05).
 */
@Controller()
export class ErrorLogController {
  constructor(@Inject(CONFIG) private readonly config: NotificationConfig) {}

  @Handle(reportErrors)
  async report({ body }: RouteInput<typeof reportErrors>): Promise<RouteReturn<typeof reportErrors>> {
    const who = context();
    const sql = currentSql();
    // One call per user at a time, so that two parallel ones do not both find room.
    await holdLock(`error_log ${who.userId}`);
    const { rows } = await sql.query<{ n: number; oldest: string | null }>(
      `
        select count(*)::int as n, min(at) as oldest
        from error_log
        where user_id = $1 and at > now() - interval '1 minute'
      `,
      [who.userId],
    );
    if (rows[0]!.n + body.logs.length > this.config.errorLogPerMinute)
      fail('common.tooMany', {
        seconds: Math.max(
          1,
          Math.ceil((new Date(rows[0]!.oldest ?? Date.now()).getTime() + 60_000 - Date.now()) / 1000),
        ),
      });
    await sql.query(
      `
        insert into error_log (company_id, user_id, username, url, time, type, message, stack, info)
        select $1, $2, $3, url, time, type, message, stack, info
        from jsonb_to_recordset($4::jsonb) as e(
          url text, time timestamptz, type text, message text, stack text, info text
        )
      `,
      [who.companyId, who.userId, who.username.slice(0, 128), JSON.stringify(body.logs)],
    );
    await sql.query(
      `delete from error_log where id in (select id from error_log order by at desc, id desc offset $1)`,
      [this.config.errorLogKept],
    );
    return { stored: body.logs.length };
  }

  @Handle(listErrors)
  async list({ query }: RouteInput<typeof listErrors>): Promise<RouteReturn<typeof listErrors>> {
    return readPage({
      query,
      record: entry,
      from: 'error_log e',
      searched: ['message', 'url', 'username', 'type'],
      filters: filterColumns,
      sorts,
      order: 'at desc, id desc',
    });
  }
}
