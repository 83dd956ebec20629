import { z } from 'zod';
import { softDssKeysMaximum } from '../define/constant.ts';
import { choice, filters, flag, moment, number, orEmpty, text } from '../define/filter.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';
import { route } from '../define/route.ts';
import { hiddenItems, modelTypes } from './model.catalogue.ts';

const counted = z.number().int().nullable();

/** A null count or property is unknown, and counts as absent. */
export const modelRecord = z
  .object({
    id,
    /** Supplied by Carillon: it cannot be changed. */
    supplied: z.boolean(),
    /** False: devices report this model, but it was not added yet, so it cannot be assigned. */
    confirmed: z.boolean(),
    name: z.string(),
    showName: z.string(),
    internalName: z.string(),
    series: z.string(),
    type: z.enum(modelTypes),
    sipCount: counted,
    doorCount: counted,
    softDssKeys: counted,
    dssKeysPerPage: counted,
    dssKeyPages: counted,
    sideKeysPerPage: counted,
    sideKeyPages: counted,
    hiddenItems: z.array(z.enum(hiddenItems)),
    secondScreen: z.boolean().nullable(),
    mutualAuth: z.boolean().nullable(),
    /** By the key of an action; an absent one is unknown. */
    capabilities: z.record(z.string(), z.boolean()),
    /** Address of its picture; it changes with the picture. */
    picture: z.string().nullable(),
    /** Number of devices of this model that the caller sees. */
    devices: z.number().int(),
    /** Null for a supplied model. */
    updatedAt: z.string().nullable(),
  })
  .meta({ id: 'Model' });

/** Most capabilities of a model, as many as a hello may name. */
const mostCapabilities = 64;
const name = z.string().trim().max(64);
const count = (most: number) => z.number().int().min(0).max(most);
/** "Soft DssKey count: 0 to 100" (CFG-03). The same limit holds for the other keys. */
const keys = count(softDssKeysMaximum);
const fields = {
  name: name.min(1),
  showName: name,
  internalName: name,
  series: name,
  type: z.enum(modelTypes),
  sipCount: count(100),
  doorCount: count(16),
  softDssKeys: keys,
  dssKeysPerPage: keys,
  dssKeyPages: keys,
  sideKeysPerPage: keys,
  sideKeyPages: keys,
  hiddenItems: z.array(z.enum(hiddenItems)).max(hiddenItems.length),
  secondScreen: z.boolean(),
  mutualAuth: z.boolean(),
  /**
   * What the model can do, by the key of an action: true is supported, false is not, and an absent one is unknown. A
   * device whose model does not support an action is excluded from it, whatever its hello says. Absent keeps the
   * current ones; a new model has none.
   */
  capabilities: z
    .record(z.string().regex(/^[a-zA-Z][a-zA-Z0-9.]{0,63}$/), z.boolean())
    .refine((all) => Object.keys(all).length <= mostCapabilities, 'common.fieldTooLong')
    .optional(),
  /** In base64, checked by its content. Absent keeps the current one; null removes it. */
  picture: z.base64().max(240_000).nullable().optional(),
};
const errors = ['model.nameTaken', 'model.narrowed', 'config.imageWrong', 'config.pixelsMany'] as const;

export const listModels = route({
  method: 'GET',
  path: '/api/f/device/model/list',
  summary: 'Models, a page at a time',
  permission: 'model',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      name: text(64),
      series: orEmpty(text(64)),
      type: choice(z.enum(modelTypes)),
      supplied: flag,
      confirmed: flag,
      sipCount: orEmpty(number),
      doorCount: orEmpty(number),
      softDssKeys: orEmpty(number),
      secondScreen: orEmpty(flag),
      mutualAuth: orEmpty(flag),
      updatedAt: orEmpty(moment),
    }),
    ...pageQuery,
    sort: sortBy([
      'name',
      'showName',
      'series',
      'type',
      'sipCount',
      'doorCount',
      'softDssKeys',
      'devices',
      'updatedAt',
    ]),
  }),
  response: listOf(modelRecord),
  errors: [],
});

/**
 * Lists the models that a device can have, for users who see devices: series, number of lines, and whether Auto is
 * allowed.
 */
export const listModelNames = route({
  method: 'GET',
  path: '/api/f/device/model',
  summary: 'Models to choose from',
  permission: 'device',
  audit: 'none',
  response: z.array(
    z.object({
      name: z.string(),
      showName: z.string(),
      series: z.string(),
      /** At most as many as a device may have (DEV-02). */
      lines: z.number().int(),
      /** Devices of its series may be added as Auto. */
      auto: z.boolean(),
    }),
  ),
  errors: [],
});

export const getModel = route({
  method: 'GET',
  path: '/api/f/device/model/{id}',
  summary: 'One model',
  permission: 'model',
  audit: 'none',
  params: z.object({ id }),
  response: modelRecord,
  errors: [],
});

export const getModelPicture = route({
  method: 'GET',
  path: '/api/f/device/model/{id}/picture',
  summary: 'The picture of a model',
  permission: 'model',
  audit: 'none',
  passive: true,
  flat: true,
  file: 'image/*',
  params: z.object({ id }),
  query: z.object({ v: z.string().max(32).optional() }),
  response: z.any(),
  errors: [],
});

export const addModel = route({
  method: 'POST',
  path: '/api/f/device/model',
  summary: 'Add a model',
  permission: 'addModel',
  audit: 'model.add',
  status: 201,
  bodyLimit: 262_144,
  body: z.strictObject(fields),
  response: modelRecord,
  errors,
});

export const editModel = route({
  method: 'PUT',
  path: '/api/f/device/model',
  summary: 'Edit a model of the company',
  permission: 'editModel',
  audit: 'model.edit',
  bodyLimit: 262_144,
  body: z.strictObject({ id, ...fields }),
  response: modelRecord,
  errors: [...errors, 'model.supplied'],
});

export const deleteModel = route({
  method: 'DELETE',
  path: '/api/f/device/model',
  summary: 'Delete a model of the company that no device has',
  permission: 'deleteModel',
  audit: 'model.delete',
  query: z.object({ id }),
  response: z.null(),
  errors: ['model.supplied', 'model.inUse', 'model.narrowed'],
});

export const restoreModels = route({
  method: 'POST',
  path: '/api/f/device/model/restore',
  summary: 'Take back a deletion of models',
  permission: 'deleteModel',
  audit: 'model.restore',
  body: restoreBody,
  response: restoreDone,
  errors: ['common.restoreOver', 'model.nameTaken', 'model.narrowed'],
});
