import { z } from 'zod';
import { id } from '../define/list.ts';
import { route } from '../define/route.ts';
import { templateValue as value } from './setting-values.ts';
import { templateLevels } from './setting.catalogue.ts';

/** A company above that locks a value is no template: it has the id of the lock, and the company’s name. */
const template = z.object({
  id,
  name: z.string(),
  level: z.enum(templateLevels),
  /** Name of what the template is for; null for all devices, and for what was deleted. */
  targetName: z.string().nullable(),
});

/** Returns what a device is to have, and which template each value comes from. */
export const getDeviceConfig = route({
  method: 'GET',
  path: '/api/f/provisioning/deviceConfig/{id}',
  summary: 'The configuration that the templates give a device, and where each value comes from',
  permission: 'device',
  audit: 'none',
  params: z.object({ id }),
  response: z.object({
    /** What the device reports as its `configVersion` when it has this configuration; null: it is to have nothing. */
    version: z.string().nullable(),
    /** When the configuration became what it is now. */
    changedAt: z.string().nullable(),
    values: z.array(
      z.object({
        key: z.string(),
        value,
        template,
        /** Who locks the value: a company above, or the company’s own template; null: nobody. */
        lock: z.enum(['company', 'template']).nullable(),
        /** Values of templates that this one overrides, the nearest first. Of a locked value, all that would decide without it. */
        overridden: z.array(z.object({ value, template })),
      }),
    ),
    /** Lines with the account that each registers; no passwords. */
    lines: z.array(
      z.object({
        line: z.number().int(),
        account: z.object({ id, name: z.string(), number: z.string() }),
        server: z.string(),
      }),
    ),
    /** Lines that had an account from here and have none now: they are switched off. */
    emptied: z.array(z.number().int()),
    /** Keys of the phone that the device's model does not have, or that use a line that it does not have. */
    beyondModel: z.array(z.string()),
    /** Settings that the device's own syntax over HTTP has no name for; null when no syntax is known for its model. */
    withoutName: z.array(z.string()).nullable(),
    /** Lines with an account that this syntax has no name for. */
    linesWithoutName: z.array(z.number().int()),
    /** When the device last loaded its file over HTTP, and which version that was; null: never. */
    loadedAt: z.string().nullable(),
    loadedVersion: z.string().nullable(),
  }),
  errors: [],
});

/**
 * What became of a request for a configuration file: `loaded`; `unchanged`, because the device has this version;
 * `otherFile`, a name that is not the device's own; `nothing`, because no template or account is for the device or it
 * is disabled; `oldAddress`, because its secret was renewed or it changed hands; `partial`, when only a part or the
 * headers were asked for, or the connection was lost; `tooMany`, because the device asks too often; `event`, a call of an
 * action URL that was taken; `firstAddress`, because it asks without a token and got the address at which to ask by its
 * MAC; `waiting`, because it asks there and was not let in; `otherDevice`, because its certificate names another MAC;
 * `noCertificate`, because its model demands one.
 */
export const configOutcomes = [
  'loaded',
  'unchanged',
  'otherFile',
  'nothing',
  'oldAddress',
  'partial',
  'tooMany',
  'event',
  'firstAddress',
  'waiting',
  'otherDevice',
  'noCertificate',
] as const;
export type ConfigOutcome = (typeof configOutcomes)[number];

/** Returns what a device asked for over HTTP, the refused requests too. Equal ones are counted. */
export const listConfigRequests = route({
  method: 'GET',
  path: '/api/f/provisioning/deviceConfig/{id}/request',
  summary: 'Requests of a device for its configuration over HTTP, with their outcome',
  permission: 'device',
  audit: 'none',
  params: z.object({ id }),
  response: z
    .array(
      z.object({
        file: z.string(),
        outcome: z.enum(configOutcomes),
        /** User-Agent and IP address of the last one. */
        userAgent: z.string(),
        address: z.string(),
        times: z.number().int(),
        firstAt: z.string(),
        lastAt: z.string(),
      }),
    )
    .max(40),
  errors: [],
});

/**
 * Returns the address from which a phone loads its configuration over HTTP. It opens the configuration with the
 * passwords of the lines, so it needs the right that shows a device's secret, which opens as much over MQTT, and the
 * operation log records who read it. It ends when the device's secret is renewed or the device goes to another company.
 */
export const getDeviceConfigAddress = route({
  method: 'GET',
  path: '/api/f/provisioning/deviceConfig/{id}/address',
  summary: "The address from which a phone loads its configuration; it opens the device's configuration",
  permission: 'renewDeviceSecret',
  showsSecret: true,
  audit: 'deviceConfig.showAddress',
  params: z.object({ id }),
  response: z.object({
    /** Scheme, host and port that the paths follow; null when the installation does not know its own host. */
    origin: z.string().nullable(),
    /** The path of the directory, with a slash at its end, for phones that add the name of their file. */
    folder: z.string(),
    /** The path of the device's own file; null when no syntax is known for its model. */
    file: z.string().nullable(),
  }),
  errors: [],
});

/**
 * Returns a configuration file to a device. The token is that of the device, or that of a command; a wrong one gives
 * 404 like any unknown path.
 */
export const loadDeviceConfig = route({
  method: 'GET',
  path: '/api/f/config/{token}/{file}',
  summary: 'The configuration of a device as the device loads it',
  permission: 'public',
  audit: 'none',
  passive: true,
  flat: true,
  file: 'text/plain',
  params: z.object({ token: z.string().max(192), file: z.string().max(64) }),
  response: z.any(),
  errors: [],
});
