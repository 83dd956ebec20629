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
  variables: { ip: string; user: string; host?: string };
  accounts(values: ProvisionedFile['values']): Account[];
}

/** First P-value of each account of a Grandstream phone: whether it is on, its server, its user. */
const pValues = [[271, 47, 35], ...[400, 500, 600, 1_700, 1_800].map((base) => [base + 1, base + 2, base + 4])];

const makers: Readonly<Record<Model['vendor'], ActionUrls | null>> = {
  Fanvil: null,
  Yealink: {
    settings: {
      boot: 'action_url.setup_completed',
      registered: 'action_url.registered',
      failed: 'action_url.register_failed',
    },
    variables: { ip: '$ip', user: '$active_user', host: '$active_host' },
    accounts: (values) =>
      Object.entries(values).flatMap(([name, value]) => {
        const [, line] = /^account\.(\d+)\.enable$/.exec(name) ?? [];
        if (line === undefined || value !== '1') return [];
        const of = (what: string) => values[`account.${line}.${what}`] ?? '';
        return [{ line: Number(line), user: of('user_name'), host: of('sip_server.1.address') }];
      }),
  },
  Grandstream: {
    settings: { boot: 'P8304', registered: 'P8305' },
    variables: { ip: '$phone_ip', user: '$active_user' },
    accounts: (values) =>
      pValues.flatMap(([on, server, user], index) =>
        values[`P${on}`] === '1'
          ? [{ line: index + 1, user: values[`P${user}`] ?? '', host: values[`P${server}`] ?? '' }]
          : [],
      ),
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
      [variables.ip, ip],
      ...(account ? [[variables.user, account.user] as const, [variables.host ?? '', account.host] as const] : []),
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
