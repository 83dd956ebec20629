import { Injectable } from '@nestjs/common';
import type { addDeviceExport, getDeviceExport, RouteInput, RouteReturn } from '@carillon/contracts';
import { afterCommit, currentSql, iso, uuidv7 } from '@carillon/persistence';
import { auditNote, fail, found } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { ExportWriter } from './export.writer.ts';

type ExportRecord = RouteReturn<typeof getDeviceExport>;
const columns = `id, status, done, total, created_at as "createdAt"`;
/** So many of one person are written at a time. */
const atOnce = 3;
const listed = 20;

/** Files of devices, each person's own. */
@Injectable()
export class ExportService {
  constructor(private readonly writer: ExportWriter) {}

  async add(wanted: RouteInput<typeof addDeviceExport>['body']): Promise<ExportRecord> {
    const { userId, companyId, orgIds } = context();
    if (wanted.key !== undefined) {
      // Of two that come at once the second waits for the first.
      await currentSql().query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${userId} ${wanted.key}`]);
      const {
        rows: [known],
      } = await currentSql().query<{ id: string }>(
        `select id from device_export where user_id = $1 and wanted ->> 'key' = $2`,
        [userId, wanted.key],
      );
      if (known) {
        auditNote({ objectId: known.id });
        return this.get(known.id);
      }
    }
    const busy = (
      await currentSql().query<{ n: number }>(
        `select count(*)::int as n from device_export where user_id = $1 and status = 'process'`,
        [userId],
      )
    ).rows[0]!.n;
    if (busy >= atOnce) fail('device.exportsBusy', { count: atOnce });
    const id = uuidv7();
    await currentSql().query(
      `
        insert into device_export (
          id, company_id, user_id, org_ids, wanted, status, done, total, lease_until, created_at
        )
        values ($1, $2, $3, $4, $5, 'process', 0, 0, now(), now())
      `,
      [id, companyId, userId, JSON.stringify(orgIds), JSON.stringify(wanted)],
    );
    auditNote({ objectId: id, detail: 'ids' in wanted ? { count: wanted.ids.length } : { filter: wanted.filter } });
    afterCommit(() => this.writer.wake());
    return this.get(id);
  }

  async list(): Promise<ExportRecord[]> {
    const { rows } = await currentSql().query<ExportRecord>(
      `select ${columns} from device_export where user_id = $1 order by id desc limit ${listed}`,
      [context().userId],
    );
    return rows.map((row) => ({ ...row, createdAt: iso(row.createdAt) }));
  }

  async get(id: string): Promise<ExportRecord> {
    const row = found(
      (
        await currentSql().query<ExportRecord>(`select ${columns} from device_export where id = $1 and user_id = $2`, [
          id,
          context().userId,
        ])
      ).rows[0],
    );
    return { ...row, createdAt: iso(row.createdAt) };
  }

  async file(id: string): Promise<Buffer> {
    if ((await this.get(id)).status !== 'success') fail('common.notFound');
    const { rows } = await currentSql().query<{ bytes: Buffer }>(
      'select bytes from device_export_part where export_id = $1 order by number',
      [id],
    );
    return Buffer.concat(rows.map((r) => r.bytes));
  }

  async remove(id: string): Promise<null> {
    const gone = await currentSql().query('delete from device_export where id = $1 and user_id = $2', [
      id,
      context().userId,
    ]);
    if (gone.rowCount === 0) fail('common.notFound');
    auditNote({ objectId: id });
    return null;
  }
}
