import { z } from 'zod';
import { choice, filters, moment, orEmpty, text } from '../define/filter.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';
import { route } from '../define/route.ts';
import { lockedSettings, settingPasswords, settingValues, templateValue, templateValues } from './setting-values.ts';
import { templateLevels, type TemplateLevel } from './setting.catalogue.ts';

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
    values: templateValues,
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

/** Why the values change, for those who read the versions later. */
const reason = z.string().trim().max(256).default('');
const fields = {
  name: z.string().trim().min(1).max(64),
  description: z.string().trim().max(256),
  values: settingValues,
  passwords: settingPasswords.optional(),
  /** Absent keeps those that it has, of the settings that it still contains. */
  locked: lockedSettings.optional(),
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
const valueErrors = [
  'common.hostName',
  'configTemplate.empty',
  'configTemplate.settingValue',
  'configTemplate.keyType',
  'configTemplate.keyValue',
  'configTemplate.keysMany',
  'configTemplate.settingName',
  'configTemplate.rawValue',
  'configTemplate.rawSecret',
  'configTemplate.rawMany',
  'configTemplate.rawOwn',
] as const;
const errors = [
  ...valueErrors,
  'configTemplate.password',
  'configTemplate.passwordGone',
  'configTemplate.passwordVisit',
  'configTemplate.nameTaken',
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
        values: templateValues,
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

/** Reads values from JSON, because a query contains texts only. The longest has all keys and raw settings. */
const valuesText = z
  .string()
  .max(49_152)
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
  .max(16_384)
  .transform((text) => text.split(',').filter((key) => key !== ''))
  .pipe(lockedSettings);

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
      value: templateValue,
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
            z.object({ before: templateValue.nullable(), after: templateValue.nullable(), devices: z.number().int() }),
          )
          .max(5),
      }),
    ),
  }),
  errors: [...valueErrors, 'configTemplate.notLockable', 'configTemplate.narrowed'],
});

const grid = z.object({ perPage: z.number().int(), pages: z.number().int(), isKnown: z.boolean() });

/**
 * Returns the keys that the phones of a template have: those of the model, those that at least one model of the series
 * has, those of the device’s model, and otherwise the general layout.
 */
export const getKeyLayout = route({
  method: 'GET',
  path: '/api/f/provisioning/configTemplate/keyLayout',
  summary: 'The keys that the phones of a configuration template have, by area, and what their models hide',
  permission: 'configTemplate',
  audit: 'none',
  query: z
    .object({ level: target.level, target: target.target.unwrap().optional() })
    .refine(({ level, target: to = null }) => fits({ level, target: to }), {
      message: 'common.fieldValue',
      path: ['target'],
    }),
  response: z.object({
    areas: z.object({ side: grid, dss: grid, soft: grid }),
    /** The DSS keys are shown on a second screen. */
    secondScreen: z.boolean(),
    /** Lines that keys can use; null is unknown. */
    lines: z.number().int().nullable(),
    /** What all models of these phones hide. */
    hiddenItems: z.array(z.string()),
  }),
  errors: [],
});

/**
 * Returns what the template of another model or series would contain with the keys of this one, and the keys that its
 * phones cannot have, without changing anything. The result is saved like any template.
 */
export const previewKeyCopy = route({
  method: 'GET',
  path: '/api/f/provisioning/configTemplate/{id}/keyCopy',
  summary: 'The keys of a configuration template in the template of another model, and those that it cannot have',
  permission: 'configTemplate',
  audit: 'none',
  params: z.object({ id }),
  query: z.object({ level: z.enum(['model', 'series']), target: target.target.unwrap() }),
  response: z.object({
    /** The template of the model or series; null: it has none yet. */
    template: z.object({ id, name: z.string(), description: z.string(), version: z.number().int() }).nullable(),
    /** The values that it would have. */
    values: templateValues,
    /** Keys that are carried over, and those of them that replace another function. */
    carried: z.array(z.string()),
    replaced: z.array(z.string()),
    /** `place`: its phones do not have this key or line; `maker`: the maker's syntax cannot express it. */
    left: z.array(z.object({ key: z.string(), reason: z.enum(['place', 'maker']) })),
  }),
  errors: ['configTemplate.narrowed', 'configTemplate.keysMany'],
});
