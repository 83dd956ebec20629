import { Inject, Injectable } from '@nestjs/common';
import { createLogger } from '@carillon/observability';
import { columns, currentSql, Database, inCompany, platform } from '@carillon/persistence';
import { CONFIG, emitLive, WorkLoop } from '@carillon/service';
import type { ResourceConfig } from '../config.ts';
import { TaskFileCopy } from '../download/task-file-copy.entity.ts';
import { Integrity } from '../store/integrity.ts';
import { Firmware, OfficialFirmware } from './firmware.entity.ts';
import { FirmwarePublisher } from './firmware.publisher.ts';

const log = createLogger('firmware');
const atOnce = 20;
/** A check whose process died is repeated after this time. */
const againMinutes = 10;

const due = columns(TaskFileCopy, 't', ['id', 'companyId', 'objectId', 'moreIds', 'checkDueAt']);
type Due = typeof due extends { read(row: never): infer R } ? R : never;
const checked = ['id', 'version', 'files', 'deltas', 'signer', 'damagedAt'] as const;
const mine = columns(Firmware, 'f', checked);
const official = columns(OfficialFirmware, 'f', checked);
type Checked = typeof mine extends { read(row: never): infer R } ? R : never;

/**
 * Checks the firmware of each task that begins: the signatures of its files, and the checksums of the stored bytes.
 * Firmware that fails is published as damaged, and tasks no longer give it to devices; it is published again when a
 * later check succeeds.
 */
@Injectable()
export class FirmwareCheck extends WorkLoop<Due> {
  constructor(
    database: Database,
    @Inject(CONFIG) { downloadCheckMs }: ResourceConfig,
    private readonly integrity: Integrity,
    private readonly events: FirmwarePublisher,
  ) {
    super(database, { reason: 'check the firmware of tasks of all companies', tickMs: downloadCheckMs, atOnce });
  }

  /** Checks the firmware of a task again, after the bytes of one of its files were refused. */
  async recheck(companyId: string, taskId: string): Promise<void> {
    await inCompany(this.database, companyId, () =>
      currentSql().query(`update task_file_copy set check_due_at = now() where id = $1 and noun = 'firmware'`, [
        taskId,
      ]),
    );
    this.wake();
  }

  protected claim(): Promise<Due[]> {
    return currentSql().rows(
      due,
      `
        update task_file_copy t
        set check_due_at = now() + make_interval(mins => ${againMinutes})
        where t.id in (
          select c.id
          from task_file_copy c
          where c.check_due_at <= now()
          order by c.check_due_at
          limit ${atOnce}
          for update skip locked
        )
        returning ${due}
      `,
    );
  }

  protected async perform({ id, companyId, objectId, moreIds, checkDueAt }: Due): Promise<void> {
    const ids = [objectId, ...moreIds];
    const own = await inCompany(this.database, companyId, () => rowsOf('firmware', mine, ids));
    for (const row of own)
      if (await this.changes(row)) await inCompany(this.database, companyId, () => this.store(companyId, row));
    const others = await this.officially(() => rowsOf('official_firmware', official, ids));
    for (const row of others) if (await this.changes(row)) await this.officially(() => this.store(null, row));
    await inCompany(this.database, companyId, () =>
      // A check that was requested during this one is still due.
      currentSql().query('update task_file_copy set check_due_at = null where id = $1 and check_due_at = $2', [
        id,
        checkDueAt,
      ]),
    );
  }

  private officially<T>(work: () => Promise<T>): Promise<T> {
    return platform(this.database, 'official firmware is every company’s', work);
  }

  /** Returns whether the check has another result than the one before. Reads files, so it runs in no transaction. */
  private async changes(row: Checked): Promise<boolean> {
    let isDamaged = false;
    for (const file of [...row.files, ...row.deltas])
      isDamaged ||= !this.events.isSigned(row, file) || !(await this.integrity.isWhole(file));
    return isDamaged !== (row.damagedAt !== null);
  }

  private async store(companyId: string | null, { id, damagedAt }: Checked): Promise<void> {
    const [path, table] =
      companyId === null ? (['official', 'official_firmware'] as const) : (['mine', 'firmware'] as const);
    await currentSql().query(
      `
        update ${table} set damaged_at = case when $2 then now() end, revision = revision + 1
        where id = $1 and (damaged_at is null) = $2
      `,
      [id, damagedAt === null],
    );
    await this.events.changed(path, [id]);
    if (companyId !== null) await emitLive(companyId, 'firmware', [id], null);
    log.warn({ firmware: id, damaged: damagedAt === null }, 'the check of a firmware has another result');
  }
}

const rowsOf = <Row>(
  table: 'firmware' | 'official_firmware',
  list: { read(row: never): Row } & typeof mine,
  ids: readonly string[],
) => currentSql().rows(list, `select ${list} from ${table} f where f.id = any ($1::uuid[])`, [ids]);
