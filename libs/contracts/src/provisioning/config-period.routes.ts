import { z } from 'zod';
import { configPeriods } from '../define/constant.ts';
import { id, instant } from '../define/list.ts';
import { route } from '../define/route.ts';
import { templateValues, templateValue as value } from './setting-values.ts';

/** How a device loaded a configuration: over the MQTT link, or by itself over HTTP. */
export const configWays = ['link', 'http'] as const;
export type ConfigWay = (typeof configWays)[number];

/** What a line registers with; `password` is only named as changed, its value is never returned. */
export const lineFields = [
  'label',
  'display',
  'user',
  'auth',
  'password',
  'server',
  'port',
  'transport',
  'domain',
  'proxy',
  'backup',
  'voicemail',
] as const;

const account = z.object({ label: z.string(), user: z.string(), server: z.string() });
const setting = { key: z.string(), before: value.nullable(), after: value.nullable() };
const line = {
  line: z.number().int(),
  /** Null: the line had no account. */
  before: account.nullable(),
  after: account.nullable(),
  fields: z.array(z.enum(lineFields)),
};
const period = {
  id,
  /** What the device reported as its `configVersion`. */
  version: z.string(),
  from: z.string(),
  /** Null: the device still has it. */
  until: z.string().nullable(),
  way: z.enum(configWays),
  /** Whether it was made here, of templates and accounts, and its content is still kept. */
  known: z.boolean(),
};

export const listConfigPeriods = route({
  method: 'GET',
  path: '/api/f/provisioning/deviceConfig/{id}/period',
  summary: 'Which configuration a device had when, and what changed against the one before',
  permission: 'device',
  audit: 'none',
  params: z.object({ id }),
  query: z.object({
    /** Only the configuration that the device had at this time. */
    at: instant.optional(),
  }),
  response: z
    .array(
      z.object({
        ...period,
        /** What changed against the configuration before; null when one of them is unknown. */
        changes: z
          .object({
            settings: z.array(
              z.object({
                ...setting,
                /** The template that decided the new value, in the version that it had; null when unknown. */
                template: z.object({ id, name: z.string(), version: z.number().int() }).nullable(),
              }),
            ),
            lines: z.array(z.object({ ...line, account: z.object({ id, name: z.string() }).nullable() })),
          })
          .nullable(),
      }),
    )
    .max(configPeriods),
  errors: [],
});

/** Returns a former configuration beside what the device is to have now, and what it takes to restore it. */
export const getConfigPeriod = route({
  method: 'GET',
  path: '/api/f/provisioning/deviceConfig/{id}/period/{period}',
  summary: 'A former configuration of a device beside the present one, and the template that would restore it',
  permission: 'device',
  audit: 'none',
  params: z.object({ id, period: id }),
  response: z.object({
    ...period,
    /** Settings that differ: `before` is that of the time, `after` what the device is to have now. */
    settings: z.array(z.object(setting)),
    lines: z.array(z.object(line)),
    /** The device's own template as it would be saved; null when it changes nothing, or the content is unknown. */
    restore: z
      .object({
        /** Id of the device's own template; null: it is new. */
        template: id.nullable(),
        /** The version that it replaces; null: it is new. */
        version: z.number().int().nullable(),
        name: z.string(),
        description: z.string(),
        values: templateValues,
      })
      .nullable(),
    /** Settings that no template of the device itself can take away, because another template has them. */
    remaining: z.array(z.string()),
  }),
  errors: [],
});
