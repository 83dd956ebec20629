import { LockMode } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import type { addConfigFile, editConfigFile, listConfigFiles, RouteInput, RouteReturn } from '@carillon/contracts';
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
import { ConfigFile } from './config-file.entity.ts';
import { ConfigFilePublisher } from './config-file.publisher.ts';

type ConfigFileRecord = RouteReturn<typeof addConfigFile>;

const record = columns(ConfigFile, 'c', [
  'id',
  'name',
  'description',
  'models',
  'fileName',
  'size',
  'fileVersion',
  'updatedAt',
]);
const deleted = columns(ConfigFile, 'c', [], { row: computed<object>('to_jsonb(c)') });
const use = columns(ConfigFile, 'c', [], { tasks: computed<number>(openTasksSql('configFile', '$1')) });
const column = columnNames(ConfigFile, 'c');
const models = `array_to_string(${column.models}, ' ')`;
const sorts = {
  name: alphabetic(column.name),
  fileName: alphabetic(column.fileName),
  size: column.size,
  version: column.fileVersion,
  updatedAt: column.updatedAt,
};
const filterColumns = {
  name: filterBy.text(column.name),
  models: filterBy.text(models),
  fileName: filterBy.text(column.fileName),
  description: filterBy.text(column.description),
  updatedAt: filterBy.moment(column.updatedAt),
};

const answered = ({
  fileVersion,
  ...row
}: typeof record extends { read(row: never): infer R } ? R : never): ConfigFileRecord => ({
  ...row,
  version: fileVersion,
});
const kept = ([file]: KeptFile[]) => ({ files: [file!], fileName: file!.name, size: file!.size });
const audited = ({ name, description, models, fileName, fileVersion }: ConfigFile) => ({
  name,
  description,
  models,
  fileName,
  version: fileVersion,
});
const orTaken = <T>(work: Promise<T>) => unlessTaken(work, 'config_file_name', 'name', 'file.taken');

/** Fails for a file that an open task uses, which must not change. */
async function refuseInUse(id: string): Promise<void> {
  const [{ tasks }] = (await currentSql().rows(use, `select ${use} from (select 1) c`, [id])) as [{ tasks: number }];
  if (tasks > 0) fail('configFile.inUse', { tasks });
}

/**
 * Fails for a user who does not see all organizations: devices of every organization load the files, which may contain
 * passwords.
 */
function seeAll(): void {
  if (!seesAll()) fail('configFile.narrowed');
}

/** Configuration files of a company (TASK-02). */
@Injectable()
export class ConfigFileService {
  constructor(
    private readonly events: ConfigFilePublisher,
    @Inject(FILES) readonly files: FileDriver,
  ) {}

  async list(query: RouteInput<typeof listConfigFiles>['query']): Promise<RouteReturn<typeof listConfigFiles>> {
    const page = await readPage({
      query,
      record,
      from: 'config_file c',
      searched: [column.name, column.fileName, column.description, models],
      filters: filterColumns,
      sorts,
      order: `${alphabetic(column.name)}, ${column.id}`,
    });
    return { ...page, records: page.records.map(answered) };
  }

  async get(id: string): Promise<ConfigFileRecord> {
    return answered(
      found((await currentSql().rows(record, `select ${record} from config_file c where c.id = $1`, [id]))[0]),
    );
  }

  /** Returns the content; the operation log records the reader. */
  async file(id: string): Promise<KeptFile> {
    seeAll();
    const { name, fileVersion, files } = found(await currentEntities().findOne(ConfigFile, { id }));
    auditNote({ objectId: id, objectName: name, detail: { version: fileVersion } });
    return files[0]!;
  }

  private async locked(id: string): Promise<ConfigFile> {
    return found(await currentEntities().findOne(ConfigFile, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE }));
  }

  async add({ upload, ...fields }: RouteInput<typeof addConfigFile>['body']): Promise<ConfigFileRecord> {
    seeAll();
    const { companyId } = context();
    const id = uuidv7();
    const made = currentEntities().create(ConfigFile, {
      id,
      companyId,
      ...fields,
      ...kept(await takeUploads('configFile', [upload])),
      fileVersion: 1,
      revision: 1,
    });
    await orTaken(currentEntities().flush());
    auditNote({ objectId: id, objectName: fields.name, detail: { before: null, after: audited(made) } });
    await this.changed([id]);
    return this.get(id);
  }

  async edit({ id, upload, ...fields }: RouteInput<typeof editConfigFile>['body']): Promise<ConfigFileRecord> {
    seeAll();
    const config = await this.locked(id);
    const before = audited(config);
    if (upload) {
      await refuseInUse(id);
      const others = kept(await takeUploads('configFile', [upload]));
      // The same bytes are not a new version.
      const isOther = others.files[0]!.sha256 !== config.files[0]!.sha256;
      currentEntities().assign(config, { ...others, fileVersion: config.fileVersion + (isOther ? 1 : 0) });
    }
    currentEntities().assign(config, { ...fields, revision: config.revision + 1 });
    await orTaken(currentEntities().flush());
    auditNote({ objectId: id, objectName: fields.name, detail: { before, after: audited(config) } });
    await this.changed([id]);
    return this.get(id);
  }

  async delete(id: string): Promise<null> {
    seeAll();
    const config = await this.locked(id);
    auditNote({ objectId: id, objectName: config.name, detail: { before: audited(config), after: null } });
    await refuseInUse(id);
    const [row] = await currentSql().rows(deleted, `delete from config_file c where c.id = $1 returning ${deleted}`, [
      id,
    ]);
    await keepDeleted('configFile', id, row!.row);
    await this.events.gone(config);
    await emitLive(context().companyId, 'configFile', [id], null);
    return null;
  }

  async restore(ids: readonly string[]): Promise<{ restored: number }> {
    seeAll();
    const back = await takeBack<{ id: string; name: string; revision: number }>('configFile', 'config_file', ids);
    if (back.length === 0) return { restored: 0 };
    noteRestored(back);
    await orTaken(
      currentSql().query(
        'insert into config_file select r.* from jsonb_populate_recordset(null::config_file, $1::jsonb) r',
        // Above the version of the published deletion.
        [JSON.stringify(back.map(({ revision, ...row }) => ({ ...row, revision: revision + 2 })))],
      ),
    );
    await this.changed(back.map(({ id }) => id));
    return { restored: back.length };
  }

  private async changed(ids: readonly string[]): Promise<void> {
    await this.events.changed(ids);
    await emitLive(context().companyId, 'configFile', ids, null);
  }
}
