import { defineEntity, p } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { deviceModelState, type Message, type PhoneKeyFacts } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { columns, currentSql, tenant, tenantProperties, type RowOf } from '@carillon/persistence';
import { configureConcerned } from '../device-config/config-due.ts';

/** The models that a company added: a template may be for a series of models, and sets keys that a model has. */
export const ModelCopy = defineEntity({
  name: 'ModelCopy',
  tableName: 'model_copy',
  ...tenant(),
  properties: {
    ...tenantProperties,
    name: p.string().length(64),
    showName: p.string().length(64),
    internalName: p.string().length(64),
    series: p.string().length(64),
    /** Whether its phones must prove themselves with a certificate. */
    mutualAuth: p.boolean(),
    /** Null until the device service has published them. */
    keys: p.json<PhoneKeyFacts>().strictNullable(),
    version: p.bigint('number'),
    era: p.integer(),
  },
});

const known = columns(ModelCopy, 'm', ['id', 'name', 'showName', 'internalName', 'series', 'keys']);
type Known = RowOf<typeof known>;

const knownBy = async (ids: readonly string[]): Promise<ReadonlyMap<string, Known>> => {
  const rows = await currentSql().rows(known, `select ${known} from model_copy m where m.id = any($1::uuid[])`, [ids]);
  return new Map(rows.map((model) => [model.id, model]));
};
const namesOf = (model: Known | undefined): string[] =>
  model ? [model.name, model.showName, model.internalName].filter((name) => name !== '') : [];
const isSame = (a: Known | undefined, b: Known | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

@Controller()
export class ModelProjection {
  /** Copies models, and has the devices of those that have another series, name or keys configured again. */
  @On(deviceModelState, ['model'])
  async model(messages: Message<typeof deviceModelState>[]): Promise<void> {
    const ids = [...new Set(messages.map(({ key }) => key))];
    const before = await knownBy(ids);
    await project(ModelCopy, messages, ({ id: _, keys = null, ...model }) => ({ ...model, keys }));
    const after = await knownBy(ids);
    const changed = ids.filter((id) => !isSame(before.get(id), after.get(id)));
    const names = changed.flatMap((id) => [before, after].flatMap((models) => namesOf(models.get(id))));
    if (names.length > 0) await configureConcerned(messages[0]!.companyId!, 'modelName', names);
  }
}
