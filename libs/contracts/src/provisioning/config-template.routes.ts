import { z } from 'zod';
import { choice, filters, moment, orEmpty, text } from '../define/filter.ts';
import { hostName } from '../define/host.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';
import { route } from '../define/route.ts';
import {
  settingKeys,
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

const settingValue = z.union([z.string(), z.number(), z.boolean()]);

export const configTemplateRecord = z
  .object({
    id,
    name: z.string(),
    description: z.string(),
    level: z.enum(templateLevels),
    /** Name of the model or series; id of the organization, site, group or device; null for all devices. */
    target: z.string().nullable(),
    /** Name of the target, as far as this service knows it: null for what was deleted. */
    targetName: z.string().nullable(),
    /** Names of the models of its series, for filters of devices; null for the other levels. */
    models: z.array(z.string()).nullable(),
    values: z.record(z.string(), settingValue),
    /** Settings that it locks; empty but for the template for all devices. */
    locked: z.array(z.string()),
    /** Number of its settings. */
    settings: z.number().int(),
    /** Number of devices that the caller sees and that get it. */
    devices: z.number().int(),
    /** Rises by one with each change of its values. */
    version: z.number().int(),
    updatedAt: z.string(),
  })
  .meta({ id: 'ConfigTemplate' });

/**
 * Settings that win over every other template of the company, and over every template of the companies below it. Only
 * the template for all devices can have some, of those that it contains.
 */
const locked = z.array(z.enum(settingKeys as readonly [SettingKey, ...SettingKey[]])).max(settingKeys.length);
/** Why the values change, for those who read the versions later. */
const reason = z.string().trim().max(256).default('');
const fields = {
  name: z.string().trim().min(1).max(64),
  description: z.string().trim().max(256),
  values: settingValues,
  /** Absent keeps those that it has, of the settings that it still contains. */
  locked: locked.optional(),
  reason,
};
const target = {
  level: z.enum(templateLevels),
  /**
   * The exact name of a model, as its devices report it, or of a series, as its models have it; the id of an
   * organization, of a site with those below it, of a group or a device; null for all devices.
   */
  target: z.string().trim().min(1).max(64).nullable(),
};
type Target = { level: TemplateLevel; target: string | null };
const isNamed = (level: TemplateLevel): boolean => level === 'model' || level === 'series';
const fits = ({ level, target: of }: Target): boolean =>
  level === 'general' ? of === null : of !== null && (isNamed(level) || z.uuid().safeParse(of).success);
const errors = [
  'common.hostName',
  'configTemplate.nameTaken',
  'configTemplate.empty',
  'configTemplate.settingValue',
  'configTemplate.notLockable',
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

/**
 * Edits a template. What it is for stays: other devices need a template of their own. With the version that the caller
 * saw, it is refused when the template has another one meanwhile.
 */
export const editConfigTemplate = route({
  method: 'PUT',
  path: '/api/f/provisioning/configTemplate',
  summary: 'Edit a configuration template',
  permission: 'editConfigTemplate',
  audit: 'configTemplate.edit',
  body: z.strictObject({ id, ...fields, version: z.number().int().min(1).optional() }),
  response: configTemplateRecord,
  errors: [...errors, 'configTemplate.changed'],
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

/** Versions of a template, the newest first. The values of each are kept, so that any two can be compared. */
export const listConfigTemplateVersions = route({
  method: 'GET',
  path: '/api/f/provisioning/configTemplate/version',
  summary: 'Versions of a configuration template, with author and reason',
  permission: 'configTemplate',
  audit: 'none',
  query: z.object({ id, ...pageQuery }),
  response: listOf(
    z
      .object({
        version: z.number().int(),
        values: z.record(z.string(), settingValue),
        locked: z.array(z.string()),
        /** Name of the user who made it. */
        author: z.string(),
        reason: z.string(),
        /** The version whose values it took again. */
        backTo: z.number().int().nullable(),
        madeAt: z.string(),
      })
      .meta({ id: 'ConfigTemplateVersion' }),
  ),
  errors: [],
});

/** Makes a new version with the values of an earlier one. */
export const rollBackConfigTemplate = route({
  method: 'POST',
  path: '/api/f/provisioning/configTemplate/rollback',
  summary: 'Go back to an earlier version of a configuration template',
  permission: 'editConfigTemplate',
  audit: 'configTemplate.rollback',
  body: z.strictObject({ id, version: z.number().int().min(1), reason }),
  response: configTemplateRecord,
  errors: ['configTemplate.narrowed', 'configTemplate.currentVersion'],
});

/** Reads values from JSON, because a query contains texts only. */
const valuesText = z
  .string()
  .max(4_096)
  .transform((text, read) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      read.addIssue({ code: 'custom', message: 'common.fieldValue' });
      return z.NEVER;
    }
  })
  .pipe(settingValues);

/** Settings in a query, between commas. */
const lockedText = z
  .string()
  .max(1_024)
  .transform((text) => text.split(',').filter((key) => key !== ''))
  .pipe(locked);

/** Returns the settings that are locked for the devices of the company, by itself or by a company above. */
export const listConfigLocks = route({
  method: 'GET',
  path: '/api/f/provisioning/configTemplate/lock',
  summary: 'Settings that the company or a company above it locks for all its devices',
  permission: 'configTemplate',
  audit: 'none',
  response: z.array(
    z.object({
      key: z.string(),
      value: settingValue,
      /** Name of the company above that locks it; null: the company’s own template for all devices. */
      company: z.string().nullable(),
    }),
  ),
  errors: [],
});

/**
 * Returns what devices would be given with other values of a template, without changing anything. A new template has no
 * id, but a level and a target. Without values it is the deletion of a template.
 */
export const previewConfigTemplate = route({
  method: 'GET',
  path: '/api/f/provisioning/configTemplate/preview',
  summary: 'What a change of a configuration template would change on which devices',
  permission: 'configTemplate',
  audit: 'none',
  query: z
    .object({
      id: id.optional(),
      level: target.level.optional(),
      target: target.target.unwrap().optional(),
      /** As in a template, as JSON. */
      values: valuesText.optional(),
      /** As in a template, between commas. */
      locked: lockedText.optional(),
    })
    .refine(
      ({ id: of, level, target: to = null, values }) =>
        of !== undefined || (level !== undefined && values !== undefined && fits({ level, target: to })),
      { message: 'common.fieldValue', path: ['target'] },
    ),
  response: z.object({
    /** Number of devices that the template is for. */
    devices: z.number().int(),
    /** Number of those that would be given another value of at least one setting. */
    changed: z.number().int(),
    settings: z.array(
      z.object({
        key: z.string(),
        /** Number of devices whose value would change. */
        changed: z.number().int(),
        /** Number of devices that keep their value because a nearer template or a lock decides. */
        overridden: z.number().int(),
        /** The lock that decides on all devices, whatever this template says. */
        lock: z
          .object({
            /** Name of the company above that locks it; null: the company’s own template for all devices. */
            company: z.string().nullable(),
          })
          .nullable(),
        /** The most frequent changes; null is a device's own standard. */
        changes: z
          .array(
            z.object({ before: settingValue.nullable(), after: settingValue.nullable(), devices: z.number().int() }),
          )
          .max(5),
      }),
    ),
  }),
  errors: [
    'common.hostName',
    'configTemplate.empty',
    'configTemplate.settingValue',
    'configTemplate.notLockable',
    'configTemplate.narrowed',
  ],
});
