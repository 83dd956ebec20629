import { defineEntity, p } from '@mikro-orm/postgresql';
import type { HiddenItem, ModelCapabilities, ModelType } from '@carillon/contracts';
import { changedInstant, tenant, tenantProperties } from '@carillon/persistence';

/** A model that a company added (CFG-03). It belongs to the whole company. */
const ModelSchema = defineEntity({
  name: 'Model',
  tableName: 'device_model',
  indexes: [
    {
      name: 'device_model_name',
      expression: 'create unique index device_model_name on device_model (company_id, lower((name)::text))',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    name: p.string().length(64),
    showName: p.string().length(64),
    internalName: p.string().length(64),
    series: p.string().length(64),
    type: p.string().$type<ModelType>().length(16),
    sipCount: p.integer(),
    doorCount: p.integer(),
    softDssKeys: p.integer(),
    dssKeysPerPage: p.integer(),
    dssKeyPages: p.integer(),
    sideKeysPerPage: p.integer(),
    sideKeyPages: p.integer(),
    hiddenItems: p.array().columnType('text[]').$type<HiddenItem[]>(),
    secondScreen: p.boolean(),
    mutualAuth: p.boolean(),
    capabilities: p.json<ModelCapabilities>().defaultRaw(`'{}'`),
    picture: p.blob().$type<Buffer>().strictNullable().lazy(),
    version: p.integer(),
    updatedAt: changedInstant(3),
  },
});
export class Model extends ModelSchema.class {}
ModelSchema.setClass(Model);
