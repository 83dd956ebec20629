import { z } from 'zod';
import { id, listOf, pageQuery } from '../define/list.ts';
import { route } from '../define/route.ts';
import { redirectKindNames, redirectStates } from './redirect.ts';

const kind = z.enum(redirectKindNames);

/** An account at a maker's redirect service without its secret: only whether there is one. */
const redirectServiceRecord = z
  .object({
    id,
    kind,
    address: z.string(),
    userName: z.string(),
    secretSet: z.boolean(),
    enabled: z.boolean(),
    /** Devices of this maker that the caller sees, by their state. Those that are being taken off are counted too. */
    devices: z.object(Object.fromEntries(redirectStates.map((s) => [s, z.number().int()])) as Counts),
    /** Why its calls fail, in the caller's language, and since when. */
    failure: z.object({ msg: z.string(), since: z.string() }).nullable(),
    /** When it is asked again; null with a failure: only when a user changes it or retries. */
    retryAt: z.string().nullable(),
    updatedAt: z.string(),
  })
  .meta({ id: 'RedirectService' });
type Counts = Record<(typeof redirectStates)[number], z.ZodNumber>;

const account = {
  address: z.string().trim().min(1).max(255),
  userName: z.string().trim().min(1).max(128),
  /** Absent keeps the stored one if the service and the user are the same. */
  secret: z.string().min(1).max(256).optional(),
};
const wrong = [
  'redirectService.addressWrong',
  'redirectService.httpsNeeded',
  'redirectService.targetRefused',
  'redirectService.secretEmpty',
  'redirectService.narrowed',
] as const;

/** Lists the company's accounts at the makers' redirect services: at most one for each maker (EDGE-09). */
export const listRedirectServices = route({
  method: 'GET',
  path: '/api/f/provisioning/redirectService/list',
  summary: 'Accounts at redirect services, with how many devices each has been told of',
  permission: 'redirectService',
  audit: 'none',
  response: z.object({
    /** The address that phones are sent to; null when the installation does not know its own. */
    server: z.string().nullable(),
    services: z.array(redirectServiceRecord),
  }),
  errors: [],
});

/** Adds an account, and has all devices of the maker registered. */
export const addRedirectService = route({
  method: 'POST',
  path: '/api/f/provisioning/redirectService',
  summary: 'Add an account at a redirect service, and register all devices of its maker',
  permission: 'editRedirectService',
  audit: 'redirectService.add',
  status: 201,
  body: z.strictObject({ kind, enabled: z.boolean(), ...account }),
  response: redirectServiceRecord,
  errors: [...wrong, 'redirectService.makerTaken', 'redirectService.serverUnknown'],
});

export const editRedirectService = route({
  method: 'PUT',
  path: '/api/f/provisioning/redirectService',
  summary: 'Edit an account at a redirect service',
  permission: 'editRedirectService',
  audit: 'redirectService.edit',
  body: z.strictObject({ id, enabled: z.boolean(), ...account }),
  response: redirectServiceRecord,
  errors: [...wrong, 'redirectService.serverUnknown'],
});

/** Deletes an account. What is registered at the service stays there. */
export const deleteRedirectService = route({
  method: 'DELETE',
  path: '/api/f/provisioning/redirectService',
  summary: 'Delete an account at a redirect service; what is registered there stays',
  permission: 'editRedirectService',
  audit: 'redirectService.delete',
  query: z.object({ id }),
  response: z.null(),
  errors: ['redirectService.narrowed'],
});

/** Signs in with the account of the form, and changes nothing at the service. */
export const testRedirectService = route({
  method: 'POST',
  path: '/api/f/provisioning/redirectService/test',
  summary: 'Sign in to a redirect service without changing anything there',
  permission: 'editRedirectService',
  audit: 'redirectService.test',
  ownTransaction: true,
  body: z.strictObject({
    /** Id of a stored account: its secret is used when none is given. */
    id: id.optional(),
    kind,
    ...account,
  }),
  response: z.null(),
  errors: [
    ...wrong,
    'redirectService.unreachable',
    'redirectService.tooSlow',
    'redirectService.certificateWrong',
    'redirectService.credentialsWrong',
    'redirectService.accessRefused',
    'redirectService.unavailable',
    'redirectService.answerWrong',
    'redirectService.refused',
  ],
});

const redirectDevice = z.object({
  id,
  deviceId: id,
  name: z.string(),
  mac: z.string(),
  state: z.enum(redirectStates),
  /** Whether the service is to have the device: false while a device that left is being taken off. */
  wanted: z.boolean(),
  /** Why the last attempt failed, in the caller's language. */
  msg: z.string().nullable(),
  /** When it is tried again; null with a failure: only when a user retries. */
  retryAt: z.string().nullable(),
});

export const listRedirectDevices = route({
  method: 'GET',
  path: '/api/f/provisioning/redirectService/device/list',
  summary: 'Devices at a redirect service, failed ones first',
  permission: 'redirectService',
  audit: 'none',
  query: z.object({ id, state: z.enum(redirectStates).optional(), ...pageQuery }),
  response: listOf(redirectDevice),
  errors: [],
});

/** Tries now what failed: all devices of a service, or the given ones. */
export const retryRedirects = route({
  method: 'POST',
  path: '/api/f/provisioning/redirectService/retry',
  summary: 'Try again now what a redirect service did not take',
  permission: 'editRedirectService',
  audit: 'redirectService.retry',
  body: z.union([z.strictObject({ id }), z.strictObject({ deviceIds: z.array(id).min(1).max(200) })]),
  response: z.object({ count: z.number().int() }),
  errors: ['redirectService.off'],
});

/** Returns what the redirect service of a device's maker knows of it; null without a service. */
export const getDeviceRedirect = route({
  method: 'GET',
  path: '/api/f/provisioning/deviceConfig/{id}/redirect',
  summary: 'Whether the redirect service of its maker knows a device',
  permission: 'device',
  audit: 'none',
  params: z.object({ id }),
  response: z
    .object({
      kind,
      enabled: z.boolean(),
      state: z.enum(redirectStates),
      /** The address that the service sends the phone to. */
      address: z.string().nullable(),
      since: z.string().nullable(),
      msg: z.string().nullable(),
      retryAt: z.string().nullable(),
    })
    .nullable(),
  errors: [],
});
