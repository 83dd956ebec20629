import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const redirectAccount = { userName: 'reseller', secret: 'Rps-Secret-1' } as const;

/** Answers a call in the place of the service; it may also leave it without an answer. */
export type RedirectFailure = (response: ServerResponse, url: string) => void;
export interface ScriptedRedirect {
  port: number;
  /** Addresses of the services, by their kinds. */
  addresses: Record<RedirectScript, string>;
  /** Where each service sends a phone, by its MAC in lower case. */
  phones: Record<RedirectScript, Map<string, string>>;
  /** MACs that another account has. */
  taken: Set<string>;
  /** Names of the calls that had the account's secret, each with its MAC. */
  calls: { script: RedirectScript; name: string; at: number }[];
  /** Has a service fail in this way; undefined ends it. */
  fail(script: RedirectScript, how: RedirectFailure | undefined): void;
  stop(): Promise<void>;
}
export type RedirectScript = 'fanvilFdps' | 'yealinkRps' | 'yealinkYmcs' | 'snomSraps' | 'snomXmlRpc';

interface Call {
  method: string;
  url: string;
  host: string;
  authorization: string;
  contentType: string;
  body: string;
}
interface Rpc {
  name: string;
  params: string[];
}
interface Reply {
  status: number;
  body: string;
}
type Phones = Map<string, string>;

const digest = (text: string): string => createHash('md5').update(text).digest('hex');
const basicOf = (password: string): string =>
  `Basic ${Buffer.from(`${redirectAccount.userName}:${password}`).toString('base64')}`;
const json = (status: number, value: unknown): Reply => ({ status, body: JSON.stringify(value) });
const refused: Reply = { status: 401, body: 'unauthorized' };

/** Reads a call of XML-RPC; the members of an array become parameters. */
function rpcOf(body: string): Rpc {
  const name = /<methodName>redirect\.(\w+)<\/methodName>/.exec(body)?.[1] ?? '';
  return { name, params: [...body.matchAll(/<string>([^<]*)<\/string>/g)].map((found) => found[1]!) };
}
const result = (ok: boolean, text: string, isTyped = true): Reply => {
  const typed = isTyped ? `<string>${text}</string>` : text;
  const values = `<value><boolean>${ok ? 1 : 0}</boolean></value><value>${typed}</value>`;
  const param = `<param><value><array><data>${values}</data></array></value></param>`;
  return {
    status: 200,
    body: `<?xml version="1.0"?><methodResponse><params>${param}</params></methodResponse>`,
  };
};

/** Fanvil FDPS: groups have the server, devices belong to groups. */
function fanvil({ name, params }: Rpc, phones: Phones, groups: Map<string, string>, taken: Set<string>): Reply {
  const [first = '', group = ''] = params;
  if (name === 'addMaterialServer') {
    const config = new Map(params.map((line) => line.split(/=(.*)/s) as [string, string]));
    const scheme = config.get('cfgPfProt') === '5' ? 'https' : 'http';
    if (groups.has(config.get('cfgName')!)) return result(false, 'Error:server_had_existed');
    groups.set(config.get('cfgName')!, `${scheme}://${config.get('cfgPfSrv')}/${config.get('cfgPfName')}`);
    return result(true, 'ok');
  }
  if (!/^[0-9a-f]{12}$/i.test(first)) return result(false, 'Error: mac_format_error');
  if (name === 'registerDevice') {
    if (!groups.has(group)) return result(false, 'Error:server_not_exist');
    if (taken.has(first) || phones.has(first)) return result(false, 'Error: device_had_existed');
    phones.set(first, groups.get(group)!);
    return result(true, 'ok');
  }
  if (name === 'deRegisterDevice')
    return phones.delete(first) ? result(true, 'ok') : result(false, 'Error: device_not_exist');
  return result(phones.has(first), 'checked');
}

function yealink({ name, params }: Rpc, phones: Phones, taken: Set<string>): Reply {
  const [mac = '', , url = '', override] = params;
  if (!/^[0-9a-f]{12}$/i.test(mac)) return result(false, `Error:Invalid MAC(s):${mac}`, false);
  if (name === 'registerDeviceWithUniqueUrl') {
    if (taken.has(mac)) return result(false, 'Error:a1b2c3d4e5', false);
    if (phones.has(mac) && override !== '1') return result(false, `Error:Existing MAC(s):${mac}`, false);
    phones.set(mac, url);
    return result(true, 'OK', false);
  }
  if (name === 'deRegisterDevice')
    return phones.delete(mac) ? result(true, 'OK', false) : result(false, `Error:Invalid MAC(s):${mac}`, false);
  return result(phones.has(mac), 'checked', false);
}

function snom({ name, params }: Rpc, phones: Phones, taken: Set<string>): Reply {
  const [text = '', url = ''] = params;
  const mac = text.toLowerCase();
  if (!/^[0-9A-F]{12}$/.test(text)) return result(false, 'Error:malformed_mac');
  if (taken.has(mac)) return result(false, 'Error:owned_by_other_user');
  if (name === 'registerPhone') {
    phones.set(mac, url);
    return result(true, 'Ok');
  }
  if (name === 'deregisterPhone')
    return phones.delete(mac) ? result(true, 'Ok') : result(false, 'Error:not_registered');
  return result(phones.has(mac), phones.get(mac) ?? '');
}

/** Whether a call is signed by the key of the account (Hawk, SHA-256), over its address, time, nonce and body. */
function isSigned({ method, url, host, authorization, contentType, body }: Call): boolean {
  const given = new Map([...authorization.matchAll(/(\w+)="([^"]*)"/g)].map((part) => [part[1]!, part[2]!]));
  const [name, port] = host.split(':') as [string, string];
  const hash = createHash('sha256').update(`hawk.1.payload\n${contentType}\n${body}\n`).digest('base64');
  const text = `hawk.1.header\n${given.get('ts')}\n${given.get('nonce')}\n${method}\n${url}\n${name}\n${port}\n${hash}\n\n`;
  return (
    authorization.startsWith('Hawk ') &&
    given.get('id') === redirectAccount.userName &&
    given.get('hash') === hash &&
    Math.abs(Number(given.get('ts')) * 1_000 - Date.now()) < 60_000 &&
    given.get('mac') === createHmac('sha256', redirectAccount.secret).update(text).digest('base64')
  );
}

const settingId = '4f3c2f0e-6a52-4f6b-8d5e-0d1b6f0b2a11';
function sraps(call: Call, phones: Phones, taken: Set<string>): Reply & { link?: string } {
  const at = `http://${call.host}/sraps/api/v1`;
  const path = call.url.replace('/sraps/api/v1', '');
  if (path === '/settings/?page_size=1000')
    return { ...json(200, [{ uuid: 'x', param_name: 'tone' }]), link: `<${at}/settings/?page=2>; rel="next"` };
  if (path === '/settings/?page=2') return json(200, [{ uuid: settingId, param_name: 'setting_server' }]);
  if (path === `/tokens/${redirectAccount.userName}`) return json(200, { links: { company: `${at}/companies/7` } });
  if (path === '/companies/7') return json(200, { links: { endpoints: `${at}/companies/7/endpoints/` } });
  const mac = /^\/companies\/7\/endpoints\/(\w+)$/.exec(path)?.[1];
  if (mac === undefined) return json(404, { message: 'not found' });
  if (taken.has(mac)) return json(400, { message: 'taken_mac_or_forbidden' });
  if (call.method === 'DELETE') return phones.delete(mac) ? json(204, '') : json(404, { message: 'no endpoint' });
  const { settings_manager: of } = JSON.parse(call.body) as { settings_manager: Record<string, { value: string }> };
  const setting = of[settingId];
  if (!setting) return json(400, { message: 'unknown setting' });
  phones.set(mac, setting.value);
  return json(200, {});
}

function ymcs({ url, authorization, body }: Call, phones: Phones, taken: Set<string>): Reply {
  if (url === '/v2/token')
    return authorization === basicOf(redirectAccount.secret)
      ? json(200, { access_token: 'token-of-an-hour', expires_in: 3_600 })
      : json(400, { error: 'invalid_client' });
  if (authorization !== 'Bearer token-of-an-hour') return refused;
  const given = JSON.parse(body) as { deviceIds?: string[] } | { mac: string; uniqueServerUrl: string }[];
  if (url === '/v2/rps/delDevices') {
    const [mac] = (given as { deviceIds: string[] }).deviceIds as [string];
    return phones.delete(mac) ? json(200, { successCount: 1 }) : json(400, { code: '800001', message: 'Invalid MAC' });
  }
  if (url !== '/v2/rps/addDevicesByMac') return json(200, { total: phones.size });
  const [{ mac, uniqueServerUrl }] = given as [{ mac: string; uniqueServerUrl: string }];
  if (taken.has(mac) || phones.has(mac))
    return json(200, {
      successCount: 0,
      failureCount: 1,
      errors: [{ mac, errorInfo: taken.has(mac) ? '800004' : '800003' }],
    });
  phones.set(mac, uniqueServerUrl);
  return json(200, { successCount: 1, failureCount: 0 });
}

const paths: [string, RedirectScript][] = [
  ['/fdps', 'fanvilFdps'],
  ['/rps', 'yealinkRps'],
  ['/v2/', 'yealinkYmcs'],
  ['/sraps', 'snomSraps'],
  ['/snom', 'snomXmlRpc'],
];

/** Starts redirect services of makers on loopback: they keep what they are told, and check the account. */
export async function scriptedRedirect(): Promise<ScriptedRedirect> {
  const scripts = paths.map(([, script]) => script);
  const phones = Object.fromEntries(scripts.map((script) => [script, new Map()])) as Record<RedirectScript, Phones>;
  const groups = new Map<string, string>();
  const taken = new Set<string>();
  const failures = new Map<RedirectScript, RedirectFailure>();
  const calls: ScriptedRedirect['calls'] = [];
  const note = (script: RedirectScript, name: string) => void calls.push({ script, name, at: Date.now() });

  const replyTo = (script: RedirectScript, call: Call): Reply & { link?: string } => {
    if (script === 'snomSraps') {
      if (!isSigned(call)) return refused;
      note(script, `${call.method} ${call.url}`);
      return sraps(call, phones[script], taken);
    }
    if (script === 'yealinkYmcs') {
      note(script, call.url);
      return ymcs(call, phones[script], taken);
    }
    const { secret } = redirectAccount;
    if (call.authorization !== basicOf(script === 'fanvilFdps' ? digest(digest(secret)) : secret)) return refused;
    const rpc = rpcOf(call.body);
    note(script, `${rpc.name} ${rpc.params[0]}`);
    if (script === 'fanvilFdps') return fanvil(rpc, phones[script], groups, taken);
    return (script === 'yealinkRps' ? yealink : snom)(rpc, phones[script], taken);
  };
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const { method = '', url = '', headers } = request;
    const script = paths.find(([path]) => url.startsWith(path))?.[1];
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      const failure = script && failures.get(script);
      if (!script) response.writeHead(404).end();
      else if (failure) failure(response, url);
      else {
        const [host, authorization, contentType] = [
          headers.host!,
          headers.authorization ?? '',
          headers['content-type'],
        ];
        const reply = replyTo(script, { method, url, host, authorization, contentType: contentType ?? '', body });
        response.writeHead(reply.status, reply.link === undefined ? {} : { link: reply.link }).end(reply.body);
      }
    });
  };
  const server = createServer(take);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const at = (path: string) => `http://127.0.0.1:${port}${path}`;
  return {
    port,
    addresses: {
      fanvilFdps: at('/fdps'),
      yealinkRps: at('/rps'),
      yealinkYmcs: at('/'),
      snomSraps: at('/sraps/api/v1/'),
      snomXmlRpc: at('/snom/'),
    },
    phones,
    taken,
    calls,
    fail: (script, how) => void (how ? failures.set(script, how) : failures.delete(script)),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
