import { LockMode } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import {
  type addFirmware,
  type addFirmwareDelta,
  type addOfficialFirmware,
  type deleteFirmwareDelta,
  type editFirmware,
  type editOfficialFirmware,
  type FirmwarePath,
  type NoticeAudience,
  type RouteInput,
} from '@carillon/contracts';
import { currentEntities, currentSql, Database, platform, uuidv5, uuidv7 } from '@carillon/persistence';
import {
  auditNote,
  cameBack,
  deletedRows,
  emitLive,
  fail,
  failAt,
  found,
  keepDeleted,
  takeBack,
  unlessTaken,
  noteRestored,
} from '@carillon/service';
import { context, seesAll } from '@carillon/tenancy';
import { DeltaOrder } from '../delta/delta-order.entity.ts';
import { FILES, type FileDriver } from '../store/file-driver.ts';
import { takeUploads, type KeptFile } from '../upload/upload.queries.ts';
import { Firmware, OfficialFirmware, type Delta, type SignedKept } from './firmware.entity.ts';
import { answered, firmwareRow, type FirmwareRecord } from './firmware-list.queries.ts';
import { FirmwarePublisher } from './firmware.publisher.ts';
import { FirmwareNotices } from './firmware.notices.ts';
import { refuseInUse } from './firmware.use.ts';

type Added = RouteInput<typeof addFirmware>['body'] | RouteInput<typeof addOfficialFirmware>['body'];
type DeltaAdded = RouteInput<typeof addFirmwareDelta>['body'];
type DeltaNamed = RouteInput<typeof deleteFirmwareDelta>['query'];
type Edited = RouteInput<typeof editFirmware>['body'] | RouteInput<typeof editOfficialFirmware>['body'];

/** "At once" is stored as now, so that a later notice is never sent twice. */
const dueAt = ({ whom, at }: { whom: NoticeAudience; at: string | null }): string | null =>
  whom === 'nobody' ? null : (at ?? new Date().toISOString());
const audited = ({ name, version, least, models, description, noticeWhom, noticeAt }: Firmware | OfficialFirmware) => ({
  name,
  version,
  least,
  models,
  description,
  notice: { whom: noticeWhom, at: noticeAt },
});

/** Most packages published with one firmware. */
const mostDeltas = 100;
export const equal = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const deltaFrom = (deltas: readonly Delta[], from: string) => deltas.find((delta) => equal(delta.from, from));
/** Id under which a deleted package is stored. */
const deletedId = (firmwareId: string, from: string): string => uuidv5(from.toLowerCase(), firmwareId);
const deltaTold = ({ from, name, size }: Delta) => ({ from, file: name, size });

export function seeAll(): void {
  if (!seesAll()) fail('firmware.narrowed');
}

/** Firmware of a company and official firmware (STORE-01). */
@Injectable()
export class FirmwareService {
  constructor(
    private readonly database: Database,
    private readonly notices: FirmwareNotices,
    private readonly events: FirmwarePublisher,
    @Inject(FILES) readonly files: FileDriver,
  ) {}

  async get(id: string): Promise<FirmwareRecord> {
    return answered(await firmwareRow(id));
  }

  async file(id: string): Promise<KeptFile> {
    return (await firmwareRow(id)).files[0]!;
  }

  /** Writes official firmware across companies, because every company sees it. */
  private written<T>(path: FirmwarePath, work: () => Promise<T>): Promise<T> {
    const written = path === 'mine' ? work() : platform(this.database, 'official firmware is every company’s', work);
    return unlessTaken(
      written,
      path === 'mine' ? 'firmware_version' : 'official_firmware_version',
      'version',
      'firmware.versionTaken',
    );
  }

  async locked(path: FirmwarePath, id: string): Promise<Firmware | OfficialFirmware> {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    return path === 'mine'
      ? found(await currentEntities().findOne(Firmware, { id }, { lockMode }))
      : found(await currentEntities().findOne(OfficialFirmware, { id }, { lockMode }));
  }

  async add(path: FirmwarePath, { upload, notice, sha256, ...fields }: Added): Promise<FirmwareRecord> {
    seeAll();
    const { companyId } = context();
    const id = uuidv7();
    const taken = await takeUploads('firmware', [upload]);
    if (sha256 !== undefined && sha256 !== taken[0]!.sha256) failAt('sha256', 'firmware.checksumWrong');
    const files = this.events.signed(fields.version, taken);
    const row = {
      id,
      ...fields,
      files,
      size: files[0]!.size,
      noticeWhom: notice.whom,
      noticeAt: dueAt(notice),
      noticedAt: null,
      deltas: [],
      revision: 1,
      signer: this.events.signerName,
      damagedAt: null,
    };
    const made =
      path === 'mine'
        ? currentEntities().create(Firmware, { ...row, companyId })
        : currentEntities().create(OfficialFirmware, { ...row, ownerId: companyId });
    await this.written(path, () => currentEntities().flush());
    auditNote({ objectId: id, objectName: nameOf(fields), detail: { before: null, after: audited(made) } });
    await this.changed(path, [id]);
    return this.get(id);
  }

  async edit(path: FirmwarePath, { id, notice, ...fields }: Edited): Promise<FirmwareRecord> {
    seeAll();
    const firmware = await this.locked(path, id);
    const before = audited(firmware);
    if (deltaFrom(firmware.deltas, fields.version)) fail('firmware.deltaSame', { version: fields.version });
    currentEntities().assign(firmware, {
      ...fields,
      files: this.events.signedAgain(firmware, fields.version, firmware.files),
      deltas: this.events.signedAgain(firmware, fields.version, firmware.deltas),
      ...this.next(firmware),
      // A sent notice cannot change.
      ...(firmware.noticedAt === null ? { noticeWhom: notice.whom, noticeAt: dueAt(notice) } : {}),
    });
    await this.written(path, () => currentEntities().flush());
    auditNote({ objectId: id, objectName: nameOf(fields), detail: { before, after: audited(firmware) } });
    await this.changed(path, [id]);
    return this.get(id);
  }

  async addDelta(path: FirmwarePath, { firmwareId: id, from, upload }: DeltaAdded): Promise<FirmwareRecord> {
    seeAll();
    const firmware = await this.locked(path, id);
    this.refuseDelta(firmware, from);
    await this.refuseOrdered(id, from);
    const [file] = await takeUploads('firmwareDelta', [upload]);
    const delta = { ...file!, from };
    await this.putDeltas(path, firmware, [...firmware.deltas, delta]);
    await this.endOrders(path, id, from);
    auditNote({ objectId: id, objectName: nameOf(firmware), detail: { before: null, after: deltaTold(delta) } });
    return this.get(id);
  }

  /** Fails while a package from that version is being made. Returns the orders of the firmware. */
  async refuseOrdered(firmwareId: string, from: string): Promise<DeltaOrder[]> {
    const orders = await currentEntities().find(DeltaOrder, { firmwareId });
    if (orders.some(({ version, state }) => equal(version, from) && state !== 'failed'))
      fail('firmware.deltaRuns', { from });
    return orders;
  }

  /** Fails when the firmware cannot have a package from that version, besides those that are `ordered`. */
  refuseDelta(firmware: Firmware | OfficialFirmware, from: string, ordered = 0): void {
    if (equal(from, firmware.version)) fail('firmware.deltaSame', { version: firmware.version });
    if (deltaFrom(firmware.deltas, from)) fail('firmware.deltaTaken', { from });
    if (firmware.deltas.length + ordered >= mostDeltas) fail('firmware.deltaLimit', { limit: mostDeltas });
  }

  /** Adds a package that was made here, unless it is no longer possible. */
  async keepMade(path: FirmwarePath, id: string, delta: Delta): Promise<void> {
    const firmware = await this.locked(path, id);
    this.refuseDelta(firmware, delta.from);
    await this.putDeltas(path, firmware, [...firmware.deltas, delta]);
  }

  async deleteDelta(path: FirmwarePath, { firmwareId: id, from }: DeltaNamed): Promise<FirmwareRecord> {
    seeAll();
    const firmware = await this.locked(path, id);
    const delta = deltaFrom(firmware.deltas, from);
    const note = { objectId: id, objectName: nameOf(firmware) };
    if (delta) {
      const others = firmware.deltas.filter((one) => one !== delta);
      const kept = deletedId(id, from);
      // Only the last of two deleted ones can be restored.
      await cameBack([kept]);
      await keepDeleted('firmwareDelta', kept, { deltas: [delta] });
      await this.putDeltas(path, firmware, others);
      auditNote({ ...note, detail: { before: deltaTold(delta), after: null } });
    } else {
      if ((await this.endOrders(path, id, from)) === 0) fail('common.notFound');
      auditNote({ ...note, detail: { before: { from }, after: null } });
      await this.shown([id]);
    }
    return this.get(id);
  }

  async restoreDelta(path: FirmwarePath, { firmwareId: id, from }: DeltaNamed): Promise<{ restored: number }> {
    seeAll();
    const firmware = await this.locked(path, id);
    const kept = deletedId(id, from);
    // A replacement counts as restored.
    const isBack = deltaFrom(firmware.deltas, from) !== undefined;
    const [row] = await deletedRows<{ deltas: [Delta] }>('firmwareDelta', tableOf(path), isBack ? [id] : [kept]);
    if (!row) return { restored: 0 };
    await cameBack([kept]);
    const [delta] = row.deltas;
    this.refuseDelta(firmware, delta.from);
    await this.refuseOrdered(id, from);
    await this.putDeltas(path, firmware, [...firmware.deltas, delta]);
    await this.endOrders(path, id, from);
    auditNote({ objectId: id, objectName: nameOf(firmware), detail: { before: null, after: deltaTold(delta) } });
    return { restored: 1 };
  }

  /** Cancels orders to and from a firmware; `from`: only from that version. */
  private async endOrders(path: FirmwarePath, id: string, from?: string): Promise<number> {
    const end = () =>
      currentSql().query(
        from === undefined
          ? 'delete from delta_order where firmware_id = $1 or from_id = $1'
          : 'delete from delta_order where firmware_id = $1 and lower(version) = lower($2)',
        from === undefined ? [id] : [id, from],
      );
    const { rowCount } = await this.written(path, end);
    return rowCount;
  }

  private async putDeltas(path: FirmwarePath, firmware: Firmware | OfficialFirmware, deltas: Delta[]): Promise<void> {
    const files = this.events.signedAgain(firmware, firmware.version, firmware.files);
    const signed = this.events.signedAgain(firmware, firmware.version, deltas);
    currentEntities().assign(firmware, { files, deltas: signed, ...this.next(firmware) });
    await this.written(path, () => currentEntities().flush());
    await this.changed(path, [firmware.id]);
  }

  /** Returns the next revision for a published change. */
  private next({ revision }: { revision: number }) {
    return { revision: revision + 1, signer: this.events.signerName };
  }

  async delete(path: FirmwarePath, id: string): Promise<null> {
    seeAll();
    const firmware = await this.locked(path, id);
    auditNote({ objectId: id, objectName: nameOf(firmware), detail: { before: audited(firmware), after: null } });
    await refuseInUse(this.database, path, firmware);
    const table = tableOf(path);
    const { rows } = await this.written(path, () =>
      currentSql().query<{ row: object }>(`delete from ${table} f where f.id = $1 returning to_jsonb(f) as row`, [id]),
    );
    await keepDeleted(table, id, rows[0]!.row);
    await this.endOrders(path, id);
    await this.events.gone(path, firmware, context().companyId);
    await this.shown([id]);
    return null;
  }

  async restore(path: FirmwarePath, ids: readonly string[]): Promise<{ restored: number }> {
    seeAll();
    const table = tableOf(path);
    const back = await takeBack<{
      id: string;
      name: string;
      version: string;
      files: SignedKept[];
      deltas?: Delta[];
      revision?: number;
    }>(table, table, ids);
    if (back.length === 0) return { restored: 0 };
    noteRestored(back.map((one) => ({ id: one.id, name: nameOf(one) })));
    await this.written(path, () =>
      currentSql().query(`insert into ${table} select r.* from jsonb_populate_recordset(null::${table}, $1::jsonb) r`, [
        // Above the version of the published deletion; rows deleted by an older version have none.
        JSON.stringify(
          back.map(({ revision = 0, files, deltas = [], ...row }) => ({
            ...row,
            // The key of its signatures may have been replaced twice since.
            files: this.events.signed(row.version, files),
            deltas: this.events.signed(row.version, deltas),
            revision: revision + 2,
            signer: this.events.signerName,
          })),
        ),
      ]),
    );
    await this.changed(
      path,
      back.map(({ id }) => id),
    );
    return { restored: back.length };
  }

  private async changed(path: FirmwarePath, ids: readonly string[]): Promise<void> {
    await this.events.changed(path, ids);
    await this.shown(ids);
  }

  async shown(ids: readonly string[]): Promise<void> {
    await emitLive(context().companyId, 'firmware', ids, null);
    this.notices.wakeAfterCommit();
  }
}

const tableOf = (path: FirmwarePath): 'firmware' | 'official_firmware' =>
  path === 'mine' ? 'firmware' : 'official_firmware';
export const nameOf = ({ name, version }: { name: string; version: string }): string => `${name} ${version}`;
