import { LockMode } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import type {
  addResourceFile,
  editResourceFile,
  listResourceFiles,
  RouteInput,
  RouteReturn,
} from '@carillon/contracts';
import {
  alphabetic,
  columnNames,
  columns,
  computed,
  currentEntities,
  currentSql,
  filterBy,
  uuidv7,
} from '@carillon/persistence';
import {
  auditNote,
  emitLive,
  fail,
  found,
  keepDeleted,
  readPage,
  takeBack,
  unlessTaken,
  noteRestored,
} from '@carillon/service';
import { context, seesAll } from '@carillon/tenancy';
import { openTasksSql } from '../download/task-file-copy.entity.ts';
import { FILES, type FileDriver } from '../store/file-driver.ts';
import { takeUploads, type KeptFile } from '../upload/upload.queries.ts';
import { ResourceFile } from './resource-file.entity.ts';
import { ResourceFilePublisher } from './resource-file.publisher.ts';

type ResourceFileRecord = RouteReturn<typeof addResourceFile>;

const record = columns(ResourceFile, 'r', [
  'id',
  'name',
  'type',
  'description',
  'fileNames',
  'files',
  'size',
  'updatedAt',
]);
const deleted = columns(ResourceFile, 'r', [], { row: computed<object>('to_jsonb(r)') });
const use = columns(ResourceFile, 'r', [], { tasks: computed<number>(openTasksSql('resourceFile', '$1')) });
const column = columnNames(ResourceFile, 'r');
const sorts = {
  name: alphabetic(column.name),
  type: column.type,
  fileNames: alphabetic(column.fileNames),
  size: column.size,
  updatedAt: column.updatedAt,
};
const filterColumns = {
  type: filterBy.text(column.type),
  name: filterBy.text(column.name),
  fileNames: filterBy.text(column.fileNames),
  description: filterBy.text(column.description),
  updatedAt: filterBy.moment(column.updatedAt),
};

const urlOf = (id: string, number: number): string => `/api/f/resource/resourceFile/${id}/file/${number}`;
const answered = (row: typeof record extends { read(row: never): infer R } ? R : never): ResourceFileRecord => ({
  ...row,
  url: urlOf(row.id, 1),
  files: row.files.map(({ name, size, sha256 }, i) => ({ name, size, sha256, url: urlOf(row.id, i + 1) })),
});
const kept = (files: KeptFile[]) => ({
  files,
  fileNames: files.map(({ name }) => name).join(';'),
  size: files.reduce((total, { size }) => total + size, 0),
});
const audited = ({ name, type, description, fileNames }: ResourceFile) => ({ name, type, description, fileNames });
const orTaken = <T>(work: Promise<T>) => unlessTaken(work, 'resource_file_name', 'name', 'file.taken');

/** The row that a deletion stores. */
interface Kept {
  id: string;
  name: string;
  files: KeptFile[];
  revision?: number;
}

/** Fails for a file that an open task uses, which must not change. */
async function refuseInUse(id: string): Promise<void> {
  const [{ tasks }] = (await currentSql().rows(use, `select ${use} from (select 1) r`, [id])) as [{ tasks: number }];
  if (tasks > 0) fail('resourceFile.inUse', { tasks });
}

/** Fails for a user who does not see all organizations, because devices of every organization load the files. */
function seeAll(): void {
  if (!seesAll()) fail('resourceFile.narrowed');
}

/** Resource files of a company (STORE-03). */
@Injectable()
export class ResourceFileService {
  constructor(
    private readonly events: ResourceFilePublisher,
    @Inject(FILES) readonly files: FileDriver,
  ) {}

  async list(query: RouteInput<typeof listResourceFiles>['query']): Promise<RouteReturn<typeof listResourceFiles>> {
    const page = await readPage({
      query,
      record,
      from: 'resource_file r',
      searched: [column.name, column.fileNames, column.description],
      filters: filterColumns,
      sorts,
      order: `${alphabetic(column.name)}, ${column.id}`,
    });
    return { ...page, records: page.records.map(answered) };
  }

  async get(id: string): Promise<ResourceFileRecord> {
    return answered(
      found((await currentSql().rows(record, `select ${record} from resource_file r where r.id = $1`, [id]))[0]),
    );
  }

  async file(id: string, number: number): Promise<KeptFile> {
    return found(found(await currentEntities().findOne(ResourceFile, { id })).files[number - 1]);
  }

  private async locked(id: string): Promise<ResourceFile> {
    return found(await currentEntities().findOne(ResourceFile, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE }));
  }

  async add({ uploads, ...fields }: RouteInput<typeof addResourceFile>['body']): Promise<ResourceFileRecord> {
    seeAll();
    const { companyId } = context();
    const id = uuidv7();
    const made = currentEntities().create(ResourceFile, {
      id,
      companyId,
      ...fields,
      ...kept(await takeUploads('resourceFile', uploads)),
      revision: 1,
    });
    await orTaken(currentEntities().flush());
    auditNote({ objectId: id, objectName: fields.name, detail: { before: null, after: audited(made) } });
    await this.changed([id]);
    return this.get(id);
  }

  async edit({ id, uploads, ...fields }: RouteInput<typeof editResourceFile>['body']): Promise<ResourceFileRecord> {
    seeAll();
    const resource = await this.locked(id);
    const before = audited(resource);
    const isReplaced = uploads !== undefined && uploads.length > 0;
    if (isReplaced || fields.type !== resource.type) await refuseInUse(id);
    const others = isReplaced ? kept(await takeUploads('resourceFile', uploads)) : {};
    currentEntities().assign(resource, { ...fields, ...others, revision: resource.revision + 1 });
    await orTaken(currentEntities().flush());
    auditNote({ objectId: id, objectName: fields.name, detail: { before, after: audited(resource) } });
    await this.changed([id]);
    return this.get(id);
  }

  async delete(id: string): Promise<null> {
    seeAll();
    const resource = await this.locked(id);
    auditNote({ objectId: id, objectName: resource.name, detail: { before: audited(resource), after: null } });
    await refuseInUse(id);
    const [row] = await currentSql().rows(deleted, `delete from resource_file r where r.id = $1 returning ${deleted}`, [
      id,
    ]);
    await keepDeleted('resourceFile', id, row!.row);
    await this.events.gone(resource);
    await emitLive(context().companyId, 'resourceFile', [id], null);
    return null;
  }

  async restore(ids: readonly string[]): Promise<{ restored: number }> {
    seeAll();
    const back = await takeBack<Kept>('resourceFile', 'resource_file', ids);
    if (back.length === 0) return { restored: 0 };
    noteRestored(back);
    await orTaken(
      currentSql().query(
        'insert into resource_file select r.* from jsonb_populate_recordset(null::resource_file, $1::jsonb) r',
        // Above the version of the published deletion; rows deleted by an older version have none.
        [JSON.stringify(back.map(({ revision = 0, ...row }) => ({ ...row, revision: revision + 2 })))],
      ),
    );
    await this.changed(back.map(({ id }) => id));
    return { restored: back.length };
  }

  private async changed(ids: readonly string[]): Promise<void> {
    await this.events.changed(ids);
    await emitLive(context().companyId, 'resourceFile', ids, null);
  }
}
