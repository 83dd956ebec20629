import { z } from 'zod';
import { choice, filters, moment, orEmpty, text } from '../define/filter.ts';
import { hostName } from '../define/host.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';
import { route } from '../define/route.ts';
import {
  settings,
  templateLevels,
  type SettingDefinition,
  type SettingKey,
  type TemplateLevel,
} from './setting.catalogue.ts';

function valueOf(setting: SettingDefinition): z.ZodType<string | number | boolean> {
  switch (setting.kind) {
    case 'choice':
      return z.enum(setting.values as readonly [string, ...string[]], 'configTemplate.settingValue');
    case 'whole':
      return z
        .number('configTemplate.settingValue')
        .int('configTemplate.settingValue')
        .min(setting.least, 'configTemplate.settingValue')
        .max(setting.most, 'configTemplate.settingValue');
    case 'switch':
      return z.boolean('configTemplate.settingValue');
    case 'host':
      return hostName;
  }
}

/** Values by setting: at least one, each of the type and range that the catalogue says. */
export const settingValues = z
  .strictObject(
    Object.fromEntries(Object.entries(settings).map(([key, setting]) => [key, valueOf(setting).optional()])) as Record<
      SettingKey,
      z.ZodOptional<z.ZodType<string | number | boolean>>
    >,
  )
  .refine((values) => Object.values(values).some((value) => value !== undefined), 'configTemplate.empty');

export const configTemplateRecord = z
  .object({
    id,
    name: z.string(),
    description: z.string(),
    level: z.enum(templateLevels),
    /** Name of the model; id of the organization, site, group or device; null for all devices. */
    target: z.string().nullable(),
    /** Name of the target, as far as this service knows it: null for a group, and for what was deleted. */
    targetName: z.string().nullable(),
    values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    /** Number of its settings. */
    settings: z.number().int(),
    /** Number of devices that the caller sees and that get it. */
    devices: z.number().int(),
    /** Rises by one with each change of its values. */
    version: z.number().int(),
    updatedAt: z.string(),
  })
  .meta({ id: 'ConfigTemplate' });

const fields = {
  name: z.string().trim().min(1).max(64),
  description: z.string().trim().max(256),
  values: settingValues,
};
const target = {
  level: z.enum(templateLevels),
  /**
   * The exact name of a model, as its devices report it; the id of an organization, of a site with those below it, of a
   * group or a device; null for all devices.
   */
  target: z.string().trim().min(1).max(64).nullable(),
};
type Target = { level: TemplateLevel; target: string | null };
const fits = ({ level, target: of }: Target): boolean =>
  level === 'general' ? of === null : of !== null && (level === 'model' || z.uuid().safeParse(of).success);
const errors = [
  'common.hostName',
  'configTemplate.nameTaken',
  'configTemplate.empty',
  'configTemplate.settingValue',
  'configTemplate.narrowed',
] as const;

export const listConfigTemplates = route({
  method: 'GET',
  path: '/api/f/provisioning/configTemplate/list',
  summary: 'Configuration templates, a page at a time',
  permission: 'configTemplate',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      level: choice(z.enum(templateLevels)),
      name: text(64),
      target: orEmpty(text(64)),
      description: orEmpty(text(256)),
      updatedAt: moment,
    }),
    ...pageQuery,
    sort: sortBy(['name', 'level', 'target', 'settings', 'devices', 'version', 'updatedAt']),
  }),
  response: listOf(configTemplateRecord),
  errors: [],
});

export const getConfigTemplate = route({
  method: 'GET',
  path: '/api/f/provisioning/configTemplate/{id}',
  summary: 'One configuration template',
  permission: 'configTemplate',
  audit: 'none',
  params: z.object({ id }),
  response: configTemplateRecord,
  errors: [],
});

export const addConfigTemplate = route({
  method: 'POST',
  path: '/api/f/provisioning/configTemplate',
  summary: 'Add a configuration template, for all devices or for some',
  permission: 'addConfigTemplate',
  audit: 'configTemplate.add',
  status: 201,
  body: z.strictObject({ ...fields, ...target }).refine(fits, { message: 'common.fieldValue', path: ['target'] }),
  response: configTemplateRecord,
  errors: [...errors, 'configTemplate.targetTaken', 'configTemplate.targetMissing'],
});

/** Edits a template. What it is for stays: other devices need a template of their own. */
export const editConfigTemplate = route({
  method: 'PUT',
  path: '/api/f/provisioning/configTemplate',
  summary: 'Edit a configuration template',
  permission: 'editConfigTemplate',
  audit: 'configTemplate.edit',
  body: z.strictObject({ id, ...fields }),
  response: configTemplateRecord,
  errors,
});

export const deleteConfigTemplate = route({
  method: 'DELETE',
  path: '/api/f/provisioning/configTemplate',
  summary: 'Delete a configuration template; devices keep what they have loaded',
  permission: 'deleteConfigTemplate',
  audit: 'configTemplate.delete',
  query: z.object({ id }),
  response: z.null(),
  errors: ['configTemplate.narrowed'],
});

export const restoreConfigTemplates = route({
  method: 'POST',
  path: '/api/f/provisioning/configTemplate/restore',
  summary: 'Take back a deletion of configuration templates',
  permission: 'deleteConfigTemplate',
  audit: 'configTemplate.restore',
  body: restoreBody,
  response: restoreDone,
  errors: ['common.restoreOver', 'configTemplate.nameTaken', 'configTemplate.targetTaken', 'configTemplate.narrowed'],
});
