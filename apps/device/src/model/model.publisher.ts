import { deviceModelState } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { columns, currentSql } from '@carillon/persistence';
import { Model } from './model.entity.ts';

const view = columns(Model, 'm', [
  'id',
  'companyId',
  'name',
  'showName',
  'internalName',
  'series',
  'mutualAuth',
  'version',
  'sipCount',
  'softDssKeys',
  'dssKeysPerPage',
  'dssKeyPages',
  'sideKeysPerPage',
  'sideKeyPages',
  'hiddenItems',
  'secondScreen',
]);

/** Publishes added, changed and restored models. */
export async function publishModels(ids: readonly string[]): Promise<void> {
  const rows = await currentSql().rows(view, `select ${view} from device_model m where m.id = any($1::uuid[])`, [ids]);
  await emitMany(
    deviceModelState,
    'model',
    rows.map(({ id, companyId, name, showName, internalName, series, mutualAuth, version, ...keys }) => ({
      key: id,
      data: { id, companyId, name, showName, internalName, series, mutualAuth, keys },
      version,
      companyId,
    })),
  );
}

/** Publishes the deletion of a model. */
export const publishModelGone = ({ id, companyId, version }: Pick<Model, 'id' | 'companyId' | 'version'>) =>
  emitMany(deviceModelState, 'model', [{ key: id, data: null, version: version + 1, companyId }]);
