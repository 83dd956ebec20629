import { Injectable } from '@nestjs/common';
import type { addDeviceExport, getDeviceExport, RouteInput, RouteReturn } from '@carillon/contracts';
import { afterCommit, currentEntities, currentSql, uuidv7 } from '@carillon/persistence';
import { auditNote, fail, found } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { DeviceExport, DeviceExportPart } from './export.entity.ts';
import { ExportWriter } from './export.writer.ts';

type ExportRecord = RouteReturn<typeof getDeviceExport>;
/** What a person is shown of an export: its order may name thousands of devices. */
const fields = ['id', 'status', 'done', 'total', 'createdAt'] as const;
/** So many of one person are written at a time. */
const atOnce = 3;
const listed = 20;

/** Files of devices, each person's own. */
@Injectable()
export class ExportService {
  constructor(private readonly writer: ExportWriter) {}

  async add(wanted: RouteInput<typeof addDeviceExport>['body']): Promise<ExportRecord> {
    const { userId, companyId, orgIds } = context();
    const entities = currentEntities();
    if (wanted.key !== undefined) {
      // Of two that come at once the second waits for the first.
      await currentSql().query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${userId} ${wanted.key}`]);
      const known = await entities.findOne(DeviceExport, { userId: userId!, wanted: { key: wanted.key } });
      if (known) {
        auditNote({ objectId: known.id });
        return known;
      }
    }
    if ((await entities.count(DeviceExport, { userId: userId!, status: 'process' })) >= atOnce)
      fail('device.exportsBusy', { count: atOnce });
    const made = entities.create(DeviceExport, {
      id: uuidv7(),
      companyId,
      userId: userId!,
      orgIds,
      wanted,
      status: 'process',
      done: 0,
      total: 0,
    });
    await entities.flush();
    auditNote({
      objectId: made.id,
      detail: 'ids' in wanted ? { count: wanted.ids.length } : { filter: wanted.filter },
    });
    afterCommit(() => this.writer.wake());
    return made;
  }

  list(): Promise<ExportRecord[]> {
    const userId = context().userId!;
    return currentEntities().find(DeviceExport, { userId }, { fields, orderBy: { id: 'desc' }, limit: listed });
  }

  async get(id: string): Promise<ExportRecord> {
    return found(await currentEntities().findOne(DeviceExport, { id, userId: context().userId! }, { fields }));
  }

  async file(id: string): Promise<Buffer> {
    if ((await this.get(id)).status !== 'success') fail('common.notFound');
    const parts = await currentEntities().find(DeviceExportPart, { exportId: id }, { orderBy: { number: 'asc' } });
    return Buffer.concat(parts.map((part) => part.bytes));
  }

  async remove(id: string): Promise<null> {
    if ((await currentEntities().nativeDelete(DeviceExport, { id, userId: context().userId! })) === 0)
      fail('common.notFound');
    auditNote({ objectId: id });
    return null;
  }
}
