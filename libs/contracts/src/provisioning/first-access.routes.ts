import { z } from 'zod';
import { id } from '../define/list.ts';
import { route } from '../define/route.ts';

/** A request of a phone that knows only the server's address, and was not let in. */
const ask = z.object({
  id,
  /** IP address and User-Agent of the last one from this network. */
  address: z.string(),
  userAgent: z.string(),
  times: z.number().int(),
  lastAt: z.string(),
});
export type FirstAsk = z.infer<typeof ask>;

/** Returns whether a phone that knows only the server's address and its own MAC gets the configuration of a device. */
export const getFirstAccess = route({
  method: 'GET',
  path: '/api/f/provisioning/deviceConfig/{id}/firstAccess',
  summary: 'Whether a phone gets the configuration of a device by its MAC alone, and which phones wait for it',
  permission: 'device',
  audit: 'none',
  params: z.object({ id }),
  response: z.object({
    /** What an installer types into the phone: scheme, host and port; null when the installation does not know its own. */
    server: z.string().nullable(),
    /** Until when the next phone with this MAC is let in; null: it waits until a user lets it in. */
    openUntil: z.string().nullable(),
    /** The only network from which it is let in, an IPv4 address or an IPv6 prefix; null: any. */
    network: z.string().nullable(),
    /** When the first access ended: the phone used the address of its own, or a user ended it. */
    endedAt: z.string().nullable(),
    asks: z.array(ask).max(20),
  }),
  errors: [],
});

/**
 * Opens the first access of devices for seven days: the next phone that names the MAC gets the configuration with the
 * passwords of its lines. It ends when the phone uses the address that it got.
 */
export const openFirstAccess = route({
  method: 'POST',
  path: '/api/f/provisioning/firstAccess/open',
  summary: 'Let the next phone with the MAC of each device have its configuration',
  permission: 'renewDeviceSecret',
  // A visitor could let in a program of its own, and so read the passwords.
  showsSecret: true,
  audit: 'firstAccess.open',
  body: z.strictObject({ ids: z.array(id).min(1).max(1_000) }),
  response: z.null(),
  errors: [],
});

export const closeFirstAccess = route({
  method: 'POST',
  path: '/api/f/provisioning/firstAccess/close',
  summary: 'End the first access of devices',
  permission: 'renewDeviceSecret',
  audit: 'firstAccess.close',
  body: z.strictObject({ ids: z.array(id).min(1).max(1_000) }),
  response: z.null(),
  errors: [],
});

/** Returns phones that know only the server's address and wait to be let in, the latest first. */
export const listWaitingPhones = route({
  method: 'GET',
  path: '/api/f/provisioning/firstAccess/list',
  summary: 'Phones that wait to be let in, the latest first',
  permission: 'renewDeviceSecret',
  audit: 'none',
  response: z
    .array(ask.extend({ device: z.object({ id, name: z.string(), mac: z.string(), model: z.string() }) }))
    .max(200),
  errors: [],
});

/** Lets phones in that wait: for a day, the MAC of each may ask from the network from which it asked. */
export const letInPhones = route({
  method: 'POST',
  path: '/api/f/provisioning/firstAccess/letIn',
  summary: 'Let phones in that wait, each from the network that it asked from',
  permission: 'renewDeviceSecret',
  // A visitor could let in a program of its own, and so read the passwords.
  showsSecret: true,
  audit: 'firstAccess.letIn',
  body: z.strictObject({ askIds: z.array(id).min(1).max(200) }),
  response: z.null(),
  errors: ['firstAccess.askGone', 'firstAccess.twice'],
});

/** Returns phones whose MAC no company has, the latest first. For the super administrator. */
export const listUnclaimedPhones = route({
  method: 'GET',
  path: '/api/f/provisioning/unclaimedPhone/list',
  summary: 'Phones that ask for a configuration and whose MAC no company has, the latest first',
  permission: 'settleMac',
  audit: 'none',
  response: z
    .array(
      z.object({
        mac: z.string(),
        maker: z.string(),
        userAgent: z.string(),
        address: z.string(),
        times: z.number().int(),
        firstAt: z.string(),
        lastAt: z.string(),
      }),
    )
    .max(500),
  errors: [],
});
