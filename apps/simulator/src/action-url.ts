import type { ProvisionedFile, Starting } from './maker.ts';
import type { Model } from './model.ts';

/** An account that is switched on in the configuration of a phone. */
export interface Account {
  line: number;
  user: string;
  host: string;
}

/** What a phone calls an action URL for. */
export type ActionEvent = 'boot' | 'registered' | 'failed';

/** A call that a phone makes: the event, its line unless it concerns the whole phone, and the URL. */
export interface ActionCall {
  event: ActionEvent;
  line?: number;
  url: string;
}

/** The action URLs of a maker's phones. Written from what the makers document, not from the platform. */
interface ActionUrls {
  settings: Partial<Record<ActionEvent, string>>;
  /** Names of the variables in a URL. */
  variables: { ip?: string; user?: string; host?: string };
  accounts(values: ProvisionedFile['values']): Account[];
}

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
  (values: ProvisionedFile['values']): Account[] =>
    accounts.flatMap(([on, server, user], index) =>
      values[`P${on}`] === '1'
        ? [{ line: index + 1, user: values[`P${user}`] ?? '', host: values[`P${server}`] ?? '' }]
        : [],
    );
/** Returns the accounts that are on; the group of the pattern is the line, in the name of what switches it on. */
const byName =
  (pattern: RegExp, on: string, nameOf: (line: number) => { user: string; host: string }) =>
  (values: ProvisionedFile['values']): Account[] =>
    Object.entries(values).flatMap(([name, value]) => {
      const line = Number(pattern.exec(name)?.[1]);
      if (!line || value !== on) return [];
      const { user, host } = nameOf(line);
      return [{ line, user: values[user] ?? '', host: values[host] ?? '' }];
    });

const makers: Readonly<Record<Model['vendor'], ActionUrls | null>> = {
  Fanvil: null,
  Yealink: {
    settings: {
      boot: 'action_url.setup_completed',
      registered: 'action_url.registered',
      failed: 'action_url.register_failed',
    },
    variables: { ip: '$ip', user: '$active_user', host: '$active_host' },
    accounts: byName(/^account\.(\d+)\.enable$/, '1', (line) => ({
      user: `account.${line}.user_name`,
      host: `account.${line}.sip_server.1.address`,
    })),
  },
  Grandstream: {
    settings: { boot: 'P8304', registered: 'P8305' },
    variables: { ip: '$phone_ip', user: '$active_user' },
    accounts: byPValue(pValues),
  },
  Snom: {
    settings: { boot: 'action_setup_url', registered: 'action_log_on_url', failed: 'action_reg_failed' },
    variables: { ip: '$phone_ip', user: '$active_user', host: '$active_host' },
    accounts: byName(/^user_active\.(\d+)$/, 'on', (line) => ({
      user: `user_name.${line}`,
      host: `user_host.${line}`,
    })),
  },
  Poly: null,
  Akuvox: {
    settings: {
      boot: 'Features.ACTIONURL.SetupCompleted',
      registered: 'Features.ACTIONURL.Registered',
      failed: 'Features.ACTIONURL.RegisterFailed',
    },
    variables: { ip: '$ip', user: '$active_user', host: '$active_host' },
    accounts: byName(/^Account(\d+)\.GENERAL\.Enable$/, '1', (line) => ({
      user: `Account${line}.GENERAL.UserName`,
      host: `Account${line}.SIP.Server`,
    })),
  },
  Htek: {
    settings: { boot: 'P3701', registered: 'P3702', failed: 'P3704' },
    variables: {},
    accounts: byPValue(htekValues),
  },
};

/**
 * Returns the calls of a phone that has started and registers its accounts, those of the lines in `failing` in vain. An
 * event without a URL causes none. A variable that has no value stays as it is.
 */
export function actionCalls(
  { model, ip }: Starting,
  { values }: ProvisionedFile,
  failing: readonly number[],
): ActionCall[] {
  const maker = makers[model.vendor];
  if (maker === null) return [];
  const { settings, variables } = maker;
  const call = (event: ActionEvent, account?: Account): ActionCall[] => {
    const url = values[settings[event] ?? ''];
    if (!url) return [];
    const known = new Map([
      [variables.ip ?? '', ip],
      ...(account
        ? [[variables.user ?? '', account.user] as const, [variables.host ?? '', account.host] as const]
        : []),
    ]);
    const filled = url.replaceAll(/\$\w+/g, (name) => encodeURIComponent(known.get(name) ?? name));
    return [{ event, ...(account ? { line: account.line } : {}), url: filled }];
  };
  return [
    ...call('boot'),
    ...maker
      .accounts(values)
      .flatMap((account) => call(failing.includes(account.line) ? 'failed' : 'registered', account)),
  ];
}
