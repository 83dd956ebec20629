import { LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import {
  type addConfigTemplate,
  type editConfigTemplate,
  type listConfigLocks,
  type listConfigTemplates,
  type previewConfigTemplate,
  rawSettingNames,
  rawSettingOf,
  type rollBackConfigTemplate,
  type RouteInput,
  type RouteReturn,
  type SettingValues,
  type TemplateKey,
  templateLevels,
} from '@carillon/contracts';
import { macDigits } from '@carillon/contracts/device-filter';
import {
  alphabetic,
  anyContains,
  columnNames,
  columns,
  computed,
  containsPattern,
  currentEntities,
  currentSql,
  filterBy,
  holdLock,
  uuidv7,
} from '@carillon/persistence';
import {
  auditNote,
  emitLive,
  fail,
  failAt,
  found,
  keepDeleted,
  readPage,
  takeBack,
  unlessTaken,
  noteRestored,
} from '@carillon/service';
import { context, seesAll } from '@carillon/tenancy';
import { lockLayers, locksFromAbove, spreadLocks } from '../config-lock/config-lock.ts';
import { concernSql, configureConcerned } from '../device-config/config-due.ts';
import { isSame, Layers } from '../device-config/effective.ts';
import { modelNamesSql } from '../device-model/series.ts';
import { isOwnName } from '../vendor/own-names.ts';
import { ConfigPasswords } from './config-password.service.ts';
import { ConfigTemplate } from './config-template.entity.ts';
import { previewOf } from './config-template.preview.ts';
import { copies, targetNameSql } from './target-name.ts';
import { contentOfVersion, keepFormer, keepVersion } from './config-template.version.ts';

type TemplateRecord = RouteReturn<typeof addConfigTemplate>;
type Target = Pick<TemplateRecord, 'level' | 'target'>;

const fields = ['name', 'description', 'level', 'target', 'values', 'locked', 'version'] as const;
const hasCopy = (level: string): level is keyof typeof copies => level in copies;
/** SQL: names for filters of the devices that a template `t` of a series is for: those of its models, and reported ones. */
const modelsSql = `
  (case t.level when 'series' then array(
    select r.name from ${modelNamesSql} r where r.series = t.target
    union
    select d.model from device_copy d where ${concernSql.series('array[t.target]')}
  ) end)
`;
const record = columns(ConfigTemplate, 't', ['id', ...fields, 'updatedAt'], {
  settings: computed<number>('(select count(*)::int from jsonb_object_keys(t.values))'),
  targetName: computed<string | null>(targetNameSql),
  models: computed<string[] | null>(modelsSql),
  devices: computed<number>(`
    (case t.level
      ${templateLevels
        .map(
          (level) =>
            `when '${level}' then (
              select count(*)::int from device_copy d where ${concernSql[level]('array[t.target]')}
            )`,
        )
        .join('\n')}
    end)
  `),
});
const deleted = columns(ConfigTemplate, 't', [], { row: computed<object>('to_jsonb(t)') });
const column = columnNames(ConfigTemplate, 't');
const sorts = {
  name: alphabetic(column.name),
  level: column.level,
  target: alphabetic(targetNameSql),
  settings: 'settings',
  devices: 'devices',
  version: column.version,
  updatedAt: column.updatedAt,
};
const filterColumns = {
  level: filterBy.text(column.level),
  name: filterBy.text(column.name),
  target: filterBy.text(`coalesce(${targetNameSql}, '')`),
  description: filterBy.text(column.description),
  updatedAt: filterBy.moment(column.updatedAt),
};
/** SQL: whether a template `t` is for one device, whose MAC is like a pattern. */
const ofMacSql = (like: string): string => `
  (t.level = 'device' and exists (
    select 1 from device_copy d where d.id = (case t.level when 'device' then t.target end)::uuid and d.mac like ${like}
  ))
`;
const audited = ({ name, description, level, target, targetName, values, locked }: TemplateRecord) => ({
  name,
  description,
  level,
  target: targetName ?? target,
  ...values,
  ...(locked.length > 0 ? { locked } : {}),
});

/** Fails for a user who does not see all organizations: devices of every organization get the settings. */
export function seeAll(): void {
  if (!seesAll()) fail('configTemplate.narrowed');
}

/** Manages the configuration templates of a company (CFG-01). */
@Injectable()
export class ConfigTemplateService {
  constructor(private readonly passwords: ConfigPasswords) {}

  async list(query: RouteInput<typeof listConfigTemplates>['query']): Promise<RouteReturn<typeof listConfigTemplates>> {
    const hex = macDigits(query.search ?? '');
    const inMac = /^[0-9a-f]{1,12}$/.test(hex) ? ` or ${ofMacSql('$1')}` : '';
    return readPage({
      query,
      record,
      from: 'config_template t',
      values: inMac === '' ? [] : [containsPattern(hex)],
      searched: (like) => anyContains([column.name, targetNameSql, column.description], like) + inMac,
      filters: filterColumns,
      sorts,
      order: `${alphabetic(column.name)}, ${column.id}`,
    });
  }

  async get(id: string): Promise<TemplateRecord> {
    return found((await currentSql().rows(record, `select ${record} from config_template t where t.id = $1`, [id]))[0]);
  }

  async add({
    reason,
    locked = [],
    passwords,
    ...sent
  }: RouteInput<typeof addConfigTemplate>['body']): Promise<TemplateRecord> {
    seeAll();
    const { companyId } = context();
    const id = uuidv7();
    const body = { ...sent, values: await this.passwords.keep(sent.values, passwords) };
    await refuseTaken(body);
    await refuseMissing(body);
    refuseOwnNames(body.values);
    refuseLocks(body.level, body.values, locked);
    currentEntities().create(ConfigTemplate, { id, companyId, version: 1, ...body, locked });
    await this.stored(currentEntities().flush());
    await keepVersion({ id, companyId, version: 1, values: body.values, locked }, reason);
    const made = await this.get(id);
    auditNote({ objectId: id, objectName: body.name, detail: { before: null, after: audited(made) } });
    await this.changed({ ...made, companyId }, true, locked.length > 0);
    return made;
  }

  async edit({
    id,
    reason,
    version,
    passwords,
    ...sent
  }: RouteInput<typeof editConfigTemplate>['body']): Promise<TemplateRecord> {
    seeAll();
    const template = await this.locked(id);
    if (version !== undefined && version !== template.version)
      fail('configTemplate.changed', { version: template.version });
    const body = { ...sent, values: await this.passwords.keep(sent.values, passwords) };
    const locked = body.locked ?? template.locked.filter((key) => body.values[key] !== undefined);
    refuseOwnNames(body.values);
    refuseLocks(template.level, body.values, locked);
    return this.change(template, { ...body, locked }, reason);
  }

  async rollBack({ id, version, reason }: RouteInput<typeof rollBackConfigTemplate>['body']): Promise<TemplateRecord> {
    seeAll();
    const template = await this.locked(id);
    const content = found(await contentOfVersion(id, version));
    if (isSameContent(template, content)) fail('configTemplate.currentVersion');
    return this.change(template, content, reason, version);
  }

  /** Returns what is locked for all devices of the company. */
  async locks(): Promise<RouteReturn<typeof listConfigLocks>> {
    const above = lockLayers(await locksFromAbove());
    const general = await currentEntities().find(ConfigTemplate, { level: 'general' });
    const locks = new Layers(general, above).locks();
    const values = Object.assign({}, ...[...general, ...above].map((layer) => layer.values)) as SettingValues;
    return [...locks].map(([key, { company }]) => ({ key, value: values[key]!, company }));
  }

  async preview({
    id,
    level,
    target,
    values,
    locked,
  }: RouteInput<typeof previewConfigTemplate>['query']): Promise<RouteReturn<typeof previewConfigTemplate>> {
    seeAll();
    const template =
      id === undefined
        ? { id: uuidv7(), name: '', level: level!, target: target ?? null, version: 0, values: {}, locked: [] }
        : found(await currentEntities().findOne(ConfigTemplate, { id }));
    const locks = locked ?? template.locked.filter((key) => values?.[key] !== undefined);
    if (values) {
      refuseOwnNames(values);
      refuseLocks(template.level, values, locks);
    }
    return previewOf(template, values ?? null, locks);
  }

  /** Stores other fields, and a new version when the values are others. */
  private async change(
    template: ConfigTemplate,
    fields: Pick<ConfigTemplate, 'values' | 'locked'> & Partial<Pick<ConfigTemplate, 'name' | 'description'>>,
    reason: string,
    backTo: number | null = null,
  ): Promise<TemplateRecord> {
    const { id } = template;
    const before = audited(await this.get(id));
    const isOther = !isSameContent(template, fields);
    const hasLocks = template.locked.length + fields.locked.length > 0;
    if (isOther) await keepFormer([id]);
    const version = template.version + (isOther ? 1 : 0);
    currentEntities().assign(template, { ...fields, version }, { mergeObjectProperties: false });
    await this.stored(currentEntities().flush());
    if (isOther) await keepVersion(template, reason, backTo);
    const changed = await this.get(id);
    auditNote({ objectId: id, objectName: changed.name, detail: { before, after: audited(changed) } });
    await this.changed(template, isOther, hasLocks);
    return changed;
  }

  async delete(id: string): Promise<null> {
    seeAll();
    const template = await this.locked(id);
    auditNote({
      objectId: id,
      objectName: template.name,
      detail: { before: audited(await this.get(id)), after: null },
    });
    const [row] = await currentSql().rows(
      deleted,
      `delete from config_template t where t.id = $1 returning ${deleted}`,
      [id],
    );
    await keepDeleted('configTemplate', id, row!.row);
    await this.changed(template, true, template.locked.length > 0);
    return null;
  }

  async restore(ids: readonly string[]): Promise<{ restored: number }> {
    seeAll();
    const back = await takeBack<Target & { id: string; name: string; locked?: string[] }>(
      'configTemplate',
      'config_template',
      ids,
    );
    if (back.length === 0) return { restored: 0 };
    noteRestored(back);
    for (const template of back) await refuseTaken(template);
    await this.stored(
      currentSql().query(
        'insert into config_template select r.* from jsonb_populate_recordset(null::config_template, $1::jsonb) r',
        // Templates that were deleted before locks existed have none.
        [JSON.stringify(back.map((template) => ({ locked: [], ...template })))],
      ),
    );
    const { companyId } = context();
    for (const template of back) await this.changed({ ...template, companyId }, true, !!template.locked?.length);
    return { restored: back.length };
  }

  private async locked(id: string): Promise<ConfigTemplate> {
    return found(await currentEntities().findOne(ConfigTemplate, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE }));
  }

  private stored<T>(work: Promise<T>): Promise<T> {
    return unlessTaken(work, 'config_template_name', 'name', 'configTemplate.nameTaken');
  }

  /** Makes the configurations of the template's devices again, and of the companies below, if its content is another. */
  private async changed(
    { id, companyId, level, target }: Pick<ConfigTemplate, 'id' | 'companyId' | 'level' | 'target'>,
    isOther: boolean,
    hasLocks: boolean,
  ): Promise<void> {
    if (isOther) await configureConcerned(companyId, level, target === null ? [] : [target]);
    if (isOther && hasLocks) await spreadLocks(companyId);
    await emitLive(companyId, 'configTemplate', [id], null);
  }
}

type Content = Pick<ConfigTemplate, 'values' | 'locked'>;
const isSameContent = (a: Content, b: Content): boolean =>
  isSame(a.values, b.values) && a.locked.toSorted().join() === b.locked.toSorted().join();

/** Fails when settings are locked that the template does not contain, or in a template for some devices only. */
function refuseLocks(level: string, values: SettingValues, locked: readonly TemplateKey[]): void {
  if (locked.some((key) => level !== 'general' || values[key] === undefined))
    failAt('locked', 'configTemplate.notLockable');
}

/** Fails when a raw setting would have no effect, because Carillon writes what it names. */
function refuseOwnNames(values: SettingValues): void {
  const key = rawSettingNames(values).find((name) => isOwnName(rawSettingOf(name)));
  if (key !== undefined) failAt(key, 'configTemplate.rawOwn', { name: rawSettingOf(key).name });
}

/** Keeps two callers from both finding no template for the same devices. */
export const holdTargets = () => holdLock(`config template ${context().companyId}`);

/** Fails when another template is for the same devices. */
async function refuseTaken({ level, target }: Target): Promise<void> {
  await holdTargets();
  const taken = await currentEntities().findOne(ConfigTemplate, { level, target }, { fields: ['name'] });
  if (taken) failAt('target', 'configTemplate.targetTaken', { name: taken.name });
}

/** Fails when a target that this service has a copy of does not exist. */
async function refuseMissing({ level, target }: Target): Promise<void> {
  if (!hasCopy(level)) return;
  const { rows } = await currentSql().query(`select 1 as one from ${copies[level]} where id = $1`, [target]);
  if (rows.length === 0) failAt('target', 'configTemplate.targetMissing');
}
