import { LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { pictureMaximum, type addModel, type editModel, type RouteInput } from '@carillon/contracts';
import { isShowable, pictureSide, pictureTypes, readPicture } from '@carillon/contracts/picture';
import { columns, computed, currentEntities, currentSql, uuidv7 } from '@carillon/persistence';
import {
  auditNote,
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
import { deviceView, publishCredentials, publishDevices } from '../device/device.publisher.ts';
import { Model } from './model.entity.ts';
import { publishModelGone, publishModels } from './model.publisher.ts';
import { isSupplied, isSuppliedName, modelById, type ModelRecord } from './model.queries.ts';

type Fields = RouteInput<typeof addModel>['body'];

const deleted = columns(Model, 'm', [], { row: computed<object>('to_jsonb(m)') });
const orNameTaken = <T>(work: Promise<T>) => unlessTaken(work, 'device_model_name', 'name', 'model.nameTaken');

/** Returns the picture to store; undefined keeps the current one. */
function pictureOf(sent: Fields['picture']): Buffer | null | undefined {
  if (sent === undefined || sent === null) return sent;
  const bytes = Buffer.from(sent, 'base64');
  const picture = bytes.length < pictureMaximum ? readPicture(bytes) : undefined;
  if (!picture || picture.kind === 'ico') return failAt('picture', 'config.imageWrong');
  const { width, height } = picture;
  if (!isShowable(picture)) failAt('picture', 'config.pixelsMany', { width, height, most: pictureSide });
  return Buffer.from(picture.bytes);
}

/**
 * A model affects devices of every organization: only users who see all of them may change it. Widens the session to
 * all.
 */
async function seeAll(): Promise<void> {
  if (!seesAll()) fail('model.narrowed');
  await currentSql().query(`select set_config('app.org_ids', '*', true)`);
}

type Named = Pick<Fields, 'name' | 'showName' | 'internalName' | 'doorCount' | 'mutualAuth' | 'capabilities'>;
const callsOf = ({ name, showName, internalName }: Named) =>
  [name, showName, internalName].filter((call) => call !== '').map((call) => call.toLowerCase());

/** Returns the actions that a model does not support. */
const unsupportedBy = (model: Named | null): string =>
  Object.entries(model?.capabilities ?? {})
    .filter(([, supported]) => !supported)
    .map(([key]) => key)
    .sort()
    .join();

/** Publishes the devices of the former and the new model again when what follows from their model has changed. */
async function publishModelDevices(before: Named | null, after: Named | null): Promise<void> {
  const calls = [before, after].map((model) => (model ? callsOf(model) : []));
  const isSame =
    before?.doorCount === after?.doorCount &&
    before?.mutualAuth === after?.mutualAuth &&
    unsupportedBy(before) === unsupportedBy(after) &&
    calls[0]!.join('\n') === calls[1]!.join('\n');
  if (isSame) return;
  const rows = await currentSql().rows(
    deviceView,
    `
      update device d
      set version = version + 1
      where lower(d.model) = any($1::text[])
      returning ${deviceView}
    `,
    [calls.flat()],
  );
  if (rows.length > 0) await publishDevices(rows);
  if (before?.mutualAuth || after?.mutualAuth) await publishCredentials(rows.map((row) => row.id));
}

/** Manages device models (CFG-03): supplied ones, which are read-only, and those of the company. */
@Injectable()
export class ModelService {
  async get(id: string): Promise<ModelRecord> {
    return found(await modelById(id));
  }

  async picture(id: string): Promise<{ bytes: Buffer; type: string }> {
    const model = await currentEntities().findOne(Model, id, { populate: ['picture'] });
    const picture = readPicture(found(model?.picture));
    if (!picture) fail('common.notFound');
    return { bytes: Buffer.from(picture.bytes), type: pictureTypes[picture.kind] };
  }

  async add({ picture: sent, ...wanted }: Fields): Promise<ModelRecord> {
    await seeAll();
    const fields = { ...wanted, capabilities: wanted.capabilities ?? {} };
    const { companyId } = context();
    if (isSuppliedName(fields.name)) failAt('name', 'model.nameTaken');
    const picture = pictureOf(sent) ?? null;
    const id = uuidv7();
    currentEntities().create(Model, { id, companyId, version: 1, ...fields, picture });
    await orNameTaken(currentEntities().flush());
    const after = audited(fields, picture);
    auditNote({ objectId: id, objectName: fields.name, detail: { before: null, after } });
    await publishModels([id]);
    await publishModelDevices(null, after);
    await emitLive(companyId, 'model', [id], null);
    return this.get(id);
  }

  async edit({ id, picture: sent, ...wanted }: RouteInput<typeof editModel>['body']): Promise<ModelRecord> {
    await seeAll();
    const model = await this.own(id);
    const fields = { ...wanted, capabilities: wanted.capabilities ?? model.capabilities };
    if (isSuppliedName(fields.name)) failAt('name', 'model.nameTaken');
    const before = audited(model, model.picture);
    const picture = pictureOf(sent);
    currentEntities().assign(model, {
      ...fields,
      ...(picture === undefined ? {} : { picture }),
      version: model.version + 1,
    });
    await orNameTaken(currentEntities().flush());
    const after = audited(fields, model.picture);
    auditNote({ objectId: id, objectName: fields.name, detail: { before, after } });
    await publishModels([id]);
    await publishModelDevices(before, after);
    await emitLive(context().companyId, 'model', [id], null);
    return this.get(id);
  }

  async delete(id: string): Promise<null> {
    await seeAll();
    const model = await this.own(id);
    auditNote({ objectId: id, objectName: model.name, detail: { before: audited(model, model.picture), after: null } });
    const { devices } = await this.get(id);
    if (devices > 0) fail('model.inUse', { count: devices });
    const sql = `delete from device_model m where m.id = $1 returning ${deleted}`;
    const [row] = await currentSql().rows(deleted, sql, [id]);
    await keepDeleted('model', id, row!.row);
    await publishModelGone(model);
    await publishModelDevices(audited(model, null), null);
    await emitLive(context().companyId, 'model', [id], null);
    return null;
  }

  async restore(ids: readonly string[]): Promise<{ restored: number }> {
    await seeAll();
    const kept = await takeBack<{ id: string; name: string; version: number }>('model', 'device_model', ids);
    if (kept.length === 0) return { restored: 0 };
    noteRestored(kept);
    await orNameTaken(
      currentSql().query(
        'insert into device_model select r.* from jsonb_populate_recordset(null::device_model, $1::jsonb) r',
        // Models that were deleted before capabilities existed have none. The deletion was published with a version.
        [JSON.stringify(kept.map((model) => ({ capabilities: {}, ...model, version: model.version + 1 })))],
      ),
    );
    const back = kept.map((model) => model.id);
    await publishModels(back);
    for (const model of await currentEntities().find(Model, { id: back }))
      await publishModelDevices(null, audited(model, null));
    await emitLive(context().companyId, 'model', back, null);
    return { restored: back.length };
  }

  /** Returns a model that may be changed, locked until the transaction ends. */
  private async own(id: string): Promise<Model> {
    if (isSupplied(id)) fail('model.supplied');
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    return found(await currentEntities().findOne(Model, id, { lockMode, populate: ['picture'] }));
  }
}

/** Returns a model for the operation log, with only the size of its picture. */
const audited = (model: Omit<Fields, 'picture'>, picture: Buffer | null) => ({
  name: model.name,
  showName: model.showName,
  internalName: model.internalName,
  series: model.series,
  type: model.type,
  sipCount: model.sipCount,
  doorCount: model.doorCount,
  softDssKeys: model.softDssKeys,
  dssKeysPerPage: model.dssKeysPerPage,
  dssKeyPages: model.dssKeyPages,
  sideKeysPerPage: model.sideKeysPerPage,
  sideKeyPages: model.sideKeyPages,
  hiddenItems: model.hiddenItems,
  secondScreen: model.secondScreen,
  mutualAuth: model.mutualAuth,
  capabilities: model.capabilities,
  picture: picture?.length ?? 0,
});
