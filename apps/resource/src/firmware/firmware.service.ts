import { LockMode } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import {
  toPage,
  type addFirmware,
  type addFirmwareDelta,
  type addOfficialFirmware,
  type DeltaOrderState,
  type deleteFirmwareDelta,
  type editFirmware,
  type editOfficialFirmware,
  type FirmwarePath,
  type listFirmware,
  type NoticeAudience,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { errorText, type ErrorKey } from '@carillon/contracts/errors';
import {
  alphabetic,
  anyContains,
  columnNames,
  columns,
  computed,
  containsPattern,
  currentEntities,
  currentSql,
  Database,
  filterBy,
  filterSql,
  orderBy,
  parameters,
  platform,
  uuidv5,
  uuidv7,
} from '@carillon/persistence';
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
} from '@carillon/service';
import { context, seesAll } from '@carillon/tenancy';
import { DeltaOrder } from '../delta/delta-order.entity.ts';
import { FILES, type FileDriver } from '../store/file-driver.ts';
import { takeUploads, type KeptFile } from '../upload/upload.queries.ts';
import { Firmware, OfficialFirmware, type Delta, type SignedKept } from './firmware.entity.ts';
import { FirmwareEvents } from './firmware.events.ts';
import { FirmwareNotices } from './firmware.notices.ts';
import { refuseInUse } from './firmware.use.ts';

type FirmwareRecord = RouteReturn<typeof addFirmware>;
type Added = RouteInput<typeof addFirmware>['body'] | RouteInput<typeof addOfficialFirmware>['body'];
type DeltaAdded = RouteInput<typeof addFirmwareDelta>['body'];
type DeltaNamed = RouteInput<typeof deleteFirmwareDelta>['query'];
type Edited = RouteInput<typeof editFirmware>['body'] | RouteInput<typeof editOfficialFirmware>['body'];

const shown = [
  'id',
  'name',
  'version',
  'least',
  'models',
  'description',
  'files',
  'size',
  'deltas',
  'noticeWhom',
  'noticeAt',
  'noticedAt',
  'damagedAt',
  'updatedAt',
] as const;
interface Ordered {
  from: string;
  state: DeltaOrderState;
  progress: number;
  error: ErrorKey | null;
  values: Record<string, string | number>;
}
const record = columns(Firmware, 'f', shown, {
  path: computed<FirmwarePath>('f.path'),
  orders: computed<Ordered[]>(`
    coalesce(
      (
        select jsonb_agg(
          jsonb_build_object(
            'from', o.version, 'state', o.state, 'progress', o.progress, 'error', o.error, 'values', o.values
          )
          order by o.created_at, o.id
        )
        from delta_order o
        where o.firmware_id = f.id
      ),
      '[]'
    )
  `),
});
const count = columns(Firmware, 'f', [], { n: computed<number>('count(*)::int') });
const mine = columnNames(Firmware, 'm');
const official = columnNames(OfficialFirmware, 'o');
/** SQL: a company's own firmware and the official one. */
const every = `(
  select ${shown.map((key) => mine[key]).join(', ')}, 'mine' as path from firmware m
  union all
  select ${shown.map((key) => official[key]).join(', ')}, 'official' as path from official_firmware o
)`;
const both = `${every} f`;
/** SQL: whether `f` can be the source of a new differential package to firmware `id`, by the same rules as an order. */
const isSourceSql = (id: string): string => `
  exists (
    select 1
    from ${every} g
    where g.id = ${id}
      and (g.path = 'mine' or f.path = 'official')
      and g.models && f.models
      and lower(g.version) <> lower(f.version)
      and not exists (
        select 1 from jsonb_array_elements(g.deltas) d where lower(d ->> 'from') = lower(f.version)
      )
      and not exists (
        select 1
        from delta_order o
        where o.firmware_id = g.id and o.state <> 'failed' and lower(o.version) = lower(f.version)
      )
  )
`;
const column = columnNames(Firmware, 'f');
/** SQL: sort key that puts 1.10 after 1.9: by its numbers, then by its text. */
const byNumbers = `(
  select string_agg(lpad(n.digits[1], 32, '0'), '.' order by n.at)
  from regexp_matches(${column.version}, '\\d+', 'g') with ordinality n (digits, at)
)`;
const sorts = {
  name: alphabetic(column.name),
  version: byNumbers,
  path: 'f.path',
  size: column.size,
  updatedAt: column.updatedAt,
};
const filterColumns = {
  path: filterBy.text('f.path'),
  name: filterBy.text(column.name),
  version: filterBy.text(column.version),
  description: filterBy.text(column.description),
  updatedAt: filterBy.moment(column.updatedAt),
};

type Row = typeof record extends { read(row: never): infer R } ? R : never;
const answered = ({
  files,
  deltas,
  orders,
  noticeWhom,
  noticeAt,
  noticedAt,
  damagedAt,
  ...row
}: Row): FirmwareRecord => ({
  ...row,
  deltas: deltas.map(({ from, format = 'maker', name, size, sha256 }) => ({
    from,
    format,
    fileName: name,
    size,
    sha256,
  })),
  deltaOrders: orders.map(({ error, values, ...order }) => ({
    ...order,
    msg: error === null ? null : errorText(error, context().language, values),
  })),
  fileName: files[0]!.name,
  sha256: files[0]!.sha256,
  damaged: damagedAt !== null,
  url: `/api/f/resource/firmware/${row.id}/file`,
  notice: { whom: noticeWhom, at: noticeAt, sentAt: noticedAt },
});

/** "At once" is stored as now, so that a later notice is never sent twice. */
const dueAt = ({ whom, at }: { whom: NoticeAudience; at: string | null }): string | null =>
  whom === 'nobody' ? null : (at ?? new Date().toISOString());
const told = ({ name, version, least, models, description, noticeWhom, noticeAt }: Firmware | OfficialFirmware) => ({
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
    private readonly events: FirmwareEvents,
    @Inject(FILES) readonly files: FileDriver,
  ) {}

  async list(query: RouteInput<typeof listFirmware>['query']): Promise<RouteReturn<typeof listFirmware>> {
    const { page, limit } = toPage(query);
    const { add, values } = parameters();
    const like = query.search ? add(containsPattern(query.search)) : undefined;
    const title = `${column.name} || ' ' || ${column.version}`;
    const searched = [title, column.description, `array_to_string(${column.models}, ' ')`];
    const where =
      [
        ...(like ? [anyContains(searched, like)] : []),
        ...(query.deltaFor ? [isSourceSql(add(query.deltaFor))] : []),
        ...filterSql(query, filterColumns, add),
      ].join(' and ') || 'true';
    const [total] = await currentSql().rows(count, `select ${count} from ${both} where ${where}`, values);
    const rows = await currentSql().rows(
      record,
      `
        select ${record}
        from ${both}
        where ${where}
        order by ${orderBy(query.sort, sorts, `${alphabetic(column.name)}, ${byNumbers} desc nulls last, ${column.id}`)}
        limit ${add(limit)} offset ${add((page - 1) * limit)}
      `,
      values,
    );
    return { records: rows.map(answered), total: total!.n, current: page, size: limit };
  }

  async row(id: string): Promise<Row> {
    return found((await currentSql().rows(record, `select ${record} from ${both} where ${column.id} = $1`, [id]))[0]);
  }

  async get(id: string): Promise<FirmwareRecord> {
    return answered(await this.row(id));
  }

  async file(id: string): Promise<KeptFile> {
    return (await this.row(id)).files[0]!;
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
    auditNote({ objectId: id, objectName: nameOf(fields), detail: { before: null, after: told(made) } });
    await this.changed(path, [id]);
    return this.get(id);
  }

  async edit(path: FirmwarePath, { id, notice, ...fields }: Edited): Promise<FirmwareRecord> {
    seeAll();
    const firmware = await this.locked(path, id);
    const before = told(firmware);
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
    auditNote({ objectId: id, objectName: nameOf(fields), detail: { before, after: told(firmware) } });
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
    auditNote({ objectId: id, objectName: nameOf(firmware), detail: { before: told(firmware), after: null } });
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
    const names = back.map(nameOf);
    auditNote({
      ...(back.length === 1 ? { objectId: back[0]!.id } : {}),
      objectName: names.join(', ').slice(0, 256),
      detail: { before: null, after: names },
    });
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
