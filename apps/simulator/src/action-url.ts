import type { ProvisionedFile, Starting } from './maker.ts';
import type { Model } from './model.ts';

/** An account that is switched on in the configuration of a phone. */
export interface Account {
  line: number;
  user: string;
  host: string;
}

/** What a phone calls an action URL for. */
export type ActionEvent =
  | 'boot'
  | 'registered'
  | 'unregistered'
  | 'failed'
  | 'dnd-on'
  | 'dnd-off'
  | 'call-start'
  | 'call-end'
  | 'door-open'
  | 'door-closed';

/** A call that a phone makes: the event, its line or door unless it concerns the whole phone, and the URL. */
export interface ActionCall {
  event: ActionEvent;
  line?: number;
  door?: number;
  url: string;
  /** What it posts; without one it gets the URL. */
  body?: string;
}

/** The action URLs of a maker's phones. Written from what the makers document, not from the platform. */
interface ActionUrls {
  settings: Partial<Record<ActionEvent, string>>;
  /** Settings for the doors, from the first one. */
  doors?: readonly { 'door-open': string; 'door-closed': string }[];
  /** Returns what a phone posts of an event; undefined for events that its values switch off. */
  post?(event: ActionEvent, phone: Starting, account: Account | undefined, values: Values): string | undefined;
  /** Names of the variables in a URL. */
  variables: { ip?: string; user?: string; host?: string };
  accounts(values: Values): Account[];
}
type Values = ProvisionedFile['values'];

/** First P-value of each account of a Grandstream phone: whether it is on, its server, its user. */
const pValues = [[271, 47, 35], ...[400, 500, 600, 1_700, 1_800].map((base) => [base + 1, base + 2, base + 4])];

/** P-values of each account of an Htek phone: whether it is on, its server, its user. */
const htekValues = [
  [271, 47, 35],
  [401, 747, 735],
  [501, 502, 504],
  [601, 602, 604],
];
const byPValue =
  (accounts: readonly (readonly number[])[]) =>
  (values: Values): Account[] =>
    accounts.flatMap(([on, server, user], index) =>
      values[`P${on}`] === '1'
        ? [{ line: index + 1, user: values[`P${user}`] ?? '', host: values[`P${server}`] ?? '' }]
        : [],
    );
/** Returns the accounts that are on; the group of the pattern is the line, in the name of what switches it on. */
const byName =
  (pattern: RegExp, on: string, nameOf: (line: number) => { user: string; host: string }) =>
  (values: Values): Account[] =>
    Object.entries(values).flatMap(([name, value]) => {
      const line = Number(pattern.exec(name)?.[1]);
      if (!line || value !== on) return [];
      const { user, host } = nameOf(line);
      return [{ line, user: values[user] ?? '', host: values[host] ?? '' }];
    });

/** The elements of the events that a Poly phone posts, and the parameters that switch them on. */
const polyEvents: Partial<Record<ActionEvent, { element: string; attributes?: string; parameter: string }>> = {
  registered: { element: 'LineRegistrationEvent', parameter: 'lineRegistrationEvent' },
  unregistered: { element: 'LineUnregistrationEvent', parameter: 'lineRegistrationEvent' },
  'call-start': {
    element: 'CallStateChangeEvent',
    attributes: ' CallReference="1" CallState="Connected"',
    parameter: 'callStateChangeEvent',
  },
  'call-end': {
    element: 'CallStateChangeEvent',
    attributes: ' CallReference="1" CallState="Disconnected"',
    parameter: 'callStateChangeEvent',
  },
};
const polyPrefix = 'apps.telNotification.';
const polyUrl = `${polyPrefix}URL`;

function polyPost(event: ActionEvent, { mac, ip }: Starting, account: Account | undefined, values: Values) {
  const { element, attributes = '', parameter } = polyEvents[event] ?? {};
  if (element === undefined || account === undefined || values[`${polyPrefix}${parameter}`] !== '1') return undefined;
  const fields = {
    PhoneIP: ip,
    MACAddress: mac,
    LineNumber: String(account.line),
    TimeStamp: new Date().toISOString(),
  };
  const inner = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`);
  return `<PolycomIPPhone><${element}${attributes}>${inner.join('')}</${element}></PolycomIPPhone>`;
}

const makers: Readonly<Record<Model['vendor'], ActionUrls | null>> = {
  Fanvil: null,
  Yealink: {
    settings: {
      boot: 'action_url.setup_completed',
      registered: 'action_url.registered',
      unregistered: 'action_url.unregistered',
      failed: 'action_url.register_failed',
      'dnd-on': 'action_url.dnd_on',
      'dnd-off': 'action_url.dnd_off',
      'call-start': 'action_url.call_established',
      'call-end': 'action_url.call_terminated',
    },
    variables: { ip: '$ip', user: '$active_user', host: '$active_host' },
    accounts: byName(/^account\.(\d+)\.enable$/, '1', (line) => ({
      user: `account.${line}.user_name`,
      host: `account.${line}.sip_server.1.address`,
    })),
  },
  Grandstream: {
    settings: {
      boot: 'P8304',
      registered: 'P8305',
      unregistered: 'P8306',
      'dnd-on': 'P8316',
      'dnd-off': 'P8317',
      'call-start': 'P8313',
      'call-end': 'P8314',
    },
    variables: { ip: '$phone_ip', user: '$active_user' },
    accounts: byPValue(pValues),
  },
  Snom: {
    settings: {
      boot: 'action_setup_url',
      registered: 'action_log_on_url',
      unregistered: 'action_log_off_url',
      failed: 'action_reg_failed',
      'dnd-on': 'action_dnd_on_url',
      'dnd-off': 'action_dnd_off_url',
      'call-start': 'action_connected_url',
      'call-end': 'action_disconnected_url',
    },
    variables: { ip: '$phone_ip', user: '$active_user', host: '$active_host' },
    accounts: byName(/^user_active\.(\d+)$/, 'on', (line) => ({
      user: `user_name.${line}`,
      host: `user_host.${line}`,
    })),
  },
  Poly: {
    settings: Object.fromEntries(Object.keys(polyEvents).map((event) => [event, polyUrl])),
    post: polyPost,
    variables: {},
    accounts: byName(/^reg\.(\d+)\.server\.1\.register$/, '1', (line) => ({
      user: `reg.${line}.address`,
      host: `reg.${line}.server.1.address`,
    })),
  },
  Akuvox: {
    settings: {
      boot: 'Features.ACTIONURL.SetupCompleted',
      registered: 'Features.ACTIONURL.Registered',
      unregistered: 'Features.ACTIONURL.Unregistered',
      failed: 'Features.ACTIONURL.RegisterFailed',
      'dnd-on': 'Features.ACTIONURL.OpenDND',
      'dnd-off': 'Features.ACTIONURL.CloseDND',
      'call-start': 'Features.ACTIONURL.MakeCall',
      'call-end': 'Features.ACTIONURL.HangUp',
    },
    doors: ['A', 'B'].map((relay) => ({
      'door-open': `Features.ACTIONURL.Relay${relay}Triggered`,
      'door-closed': `Features.ACTIONURL.Relay${relay}Closed`,
    })),
    variables: { ip: '$ip', user: '$active_user', host: '$active_host' },
    accounts: byName(/^Account(\d+)\.GENERAL\.Enable$/, '1', (line) => ({
      user: `Account${line}.GENERAL.UserName`,
      host: `Account${line}.SIP.Server`,
    })),
  },
  Htek: {
    settings: {
      boot: 'P3701',
      registered: 'P3702',
      unregistered: 'P3703',
      failed: 'P3704',
      'dnd-on': 'P3711',
      'dnd-off': 'P3712',
    },
    variables: {},
    accounts: byPValue(htekValues),
  },
};

/** What an event concerns: an account, a door, or neither. */
export interface ActionTarget {
  account?: Account | undefined;
  door?: number | undefined;
}

/** Returns the accounts that are switched on in the configuration of a phone. */
export const accountsOf = ({ vendor }: Model, values: Values): Account[] => makers[vendor]?.accounts(values) ?? [];

/** Returns the call of a phone for an event; none without a URL. A variable that has no value stays as it is. */
export function callOf(
  phone: Starting,
  { values }: ProvisionedFile,
  event: ActionEvent,
  { account, door }: ActionTarget = {},
): ActionCall[] {
  const maker = makers[phone.model.vendor];
  const isDoor = event === 'door-open' || event === 'door-closed';
  const setting = isDoor ? maker?.doors?.[(door ?? 1) - 1]?.[event] : maker?.settings[event];
  const url = values[setting ?? ''];
  if (!maker || !url) return [];
  const body = maker.post?.(event, phone, account, values);
  if (maker.post && body === undefined) return [];
  const known = new Map([
    [maker.variables.ip ?? '', phone.ip],
    ...(account
      ? [[maker.variables.user ?? '', account.user] as const, [maker.variables.host ?? '', account.host] as const]
      : []),
  ]);
  const filled = url.replaceAll(/\$\w[\w-]*/g, (name) => encodeURIComponent(known.get(name) ?? name));
  return [
    {
      event,
      ...(account ? { line: account.line } : {}),
      ...(door === undefined ? {} : { door }),
      url: filled,
      ...(body === undefined ? {} : { body }),
    },
  ];
}

/** Returns the calls of a phone that has started and registers its accounts, those of the lines in `failing` in vain. */
export const actionCalls = (phone: Starting, file: ProvisionedFile, failing: readonly number[]): ActionCall[] => [
  ...callOf(phone, file, 'boot'),
  ...accountsOf(phone.model, file.values).flatMap((account) =>
    callOf(phone, file, failing.includes(account.line) ? 'failed' : 'registered', { account }),
  ),
];
