import { createReadStream, existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { menuTree, permissionKeys, type MenuDefinition } from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { errorStatus, errorText, type ErrorKey } from '@carillon/contracts/errors';
import { toLanguage } from '@carillon/contracts';
import { createHash } from 'node:crypto';
import { World } from './world.ts';

/**
 * A small server for the console's own browser tests while the product is not there: it keeps its devices and tasks in
 * memory and answers through the contract's schemas, so that an answer the product could not give fails here too.
 * Never shipped.
 */
const site = fileURLToPath(new URL('../dist/site/', import.meta.url));
const types: Record<string, string> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json', '.md': 'text/plain' };
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";
export const account = { username: 'admin', password: 'carillon-test' };

interface Fault { path: string; error: string; msg: string }
class Refusal extends Error {
  readonly key: ErrorKey;
  readonly values: Record<string, unknown>;
  readonly fields: Fault[] | undefined;
  constructor(key: ErrorKey, values: Record<string, unknown> = {}, fields?: Fault[]) { super(key); this.key = key; this.values = values; this.fields = fields; }
}

/** Those with a parameter last: a list's own path is no id. */
const routes = allRoutes.toSorted((a, b) => a.route.path.split('{').length - b.route.path.split('{').length);

export async function startServer(port: number, devices = 1284, rebootMs = 1500) {
  const world = new World(devices, rebootMs);
  const streams = new Set<ServerResponse>();
  let tokenNumber = 0;
  let opened = 0;
  const live = new Set<string>();
  /** Calls to answer with 500 until told otherwise, by route name. */
  const broken = new Set<string>();
  world.onChange = (kind, ids) => { const text = `event: changed\ndata: ${JSON.stringify({ kind, ids: ids.length > 200 ? 'many' : ids })}\n\n`; for (const s of streams) s.write(text); };

  const answer = (res: ServerResponse, status: number, body: unknown, headers: Record<string, string | string[]> = {}) => res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  const cookies = (req: IncomingMessage) => Object.fromEntries((req.headers.cookie ?? '').split('; ').map((c) => c.split('=') as [string, string]));

  async function api(req: IncomingMessage, res: ServerResponse, url: URL) {
    const requestId = `test-${Date.now().toString(36)}`;
    const language = toLanguage(req.headers['carillon-language'] as string | undefined);
    try {
      const found = routes.map((r) => ({ r, match: new RegExp(`^${r.route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(url.pathname) })).find(({ r, match }) => match && r.route.method === req.method);
      if (!found) throw new Refusal('common.routeUnknown');
      const { route, name } = found.r;
      if (broken.has(name)) throw new Refusal('common.unavailable');
      let text = '';
      for await (const part of req) text += part;
      if (name === 'token') return token(req, res, new URLSearchParams(text || url.search), language, requestId);
      const given = (req.headers['carillon-token'] as string | undefined) ?? cookies(req)['access'];
      if (given === undefined || !live.has(given)) throw new Refusal('common.tokenInvalid');
      if (name === 'streamLive') { res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }); res.write(': here\n\n'); streams.add(res); opened += 1; req.on('close', () => streams.delete(res)); return; }
      if (name === 'logout') live.delete(given);
      const query: Record<string, unknown> = {};
      for (const key of new Set(url.searchParams.keys())) { const all = url.searchParams.getAll(key); query[key] = all.length > 1 ? all : all[0]; }
      const read = (schema: { safeParse: (v: unknown) => { success: boolean; data?: unknown; error?: { issues: { path: PropertyKey[]; message: string }[] } } } | undefined, value: unknown) => {
        if (!schema) return undefined;
        const r = schema.safeParse(value);
        if (!r.success) throw new Refusal('common.invalid', {}, r.error!.issues.map((i) => ({ path: i.path.join('.'), error: i.message === 'device.macFormat' ? i.message : 'common.fieldFormat', msg: errorText(i.message === 'device.macFormat' ? 'device.macFormat' : 'common.fieldFormat', language) })));
        return r.data;
      };
      const input = { params: read(route.params, { ...found.match!.groups }), query: read(route.query, query), body: read(route.body, text === '' ? undefined : JSON.parse(text)) };
      const data = await handle(name, input as never);
      answer(res, route.status ?? 200, { code: 200, success: true, msg: 'ok', data: route.response.parse(data), requestId });
    } catch (e) {
      const refusal = e instanceof Refusal ? e : undefined;
      if (!refusal) console.error(e);
      const key = refusal?.key ?? 'common.unknown';
      answer(res, errorStatus(key), { code: errorStatus(key), success: false, msg: errorText(key, language, refusal?.values), error: key, data: refusal?.fields ? { fields: refusal.fields } : null, requestId });
    }
  }

  function token(req: IncomingMessage, res: ServerResponse, form: URLSearchParams, language: ReturnType<typeof toLanguage>, requestId: string) {
    const refresh = form.get('refresh_token') ?? cookies(req)['refresh'];
    const good = form.get('grant_type') === 'refresh_token' ? refresh !== undefined && live.has(refresh) : form.get('username') === account.username && form.get('password') === createHash('md5').update(account.password).digest('hex');
    if (!good) return void answer(res, 400, { error: 'auth.wrongCredentials', error_description: errorText('auth.wrongCredentials', language), code: 400, requestId });
    tokenNumber += 1;
    const access_token = `access-${tokenNumber}`;
    const refresh_token = `refresh-${tokenNumber}`;
    live.add(access_token).add(refresh_token);
    answer(res, 200, { access_token, refresh_token, token_type: 'bearer', expires_in: 3000, scope: 'all', companyId: world.company, orgId: world.organizations[0]!.id, createSubLimit: 0, fcsLimit: 0, countryId: 1, timezoneId: 1, avatar: '', userId: world.user, username: account.username, nickname: 'Jana Vogt' },
      { 'set-cookie': [`access=${access_token}; HttpOnly; SameSite=Strict; Path=/`, `refresh=${refresh_token}; HttpOnly; SameSite=Strict; Path=/api/f/auth`] });
  }

  // oxlint-disable-next-line typescript/no-explicit-any
  async function handle(name: string, { params, query, body }: { params: any; query: any; body: any }): Promise<unknown> {
    switch (name) {
      case 'logout': return null;
      case 'menuRoute': return (menuTree as readonly MenuDefinition[]).map((m) => ({ id: m.key, name: m.key, langKey: m.langKey, path: m.path ?? null, source: m.icon ?? null, children: [], meta: { ...(m.keepAlive ? { keepAlive: true } : {}) } }));
      case 'menuButtons': return [...permissionKeys];
      case 'bladeUserInfo': return { userId: world.user, username: account.username, nickname: 'Jana Vogt', email: 'jana.vogt@meridian.example', accountType: 'ordinary', companyId: world.company, companyName: 'Meridian Hotels', orgId: world.organizations[0]!.id, roles: ['administrator'], language: null, timezoneId: 1, lastLoginAt: null };
      case 'listOrganizationNames': return world.organizations;
      case 'listDevices': return world.page(world.devicesMatching(query), query);
      case 'countDevices': return world.counts(query);
      case 'getDevice': { const d = world.device(params.id); if (!d) throw new Refusal('common.notFound'); return d; }
      case 'addDevice': { if (world.device(body.mac)) throw new Refusal('device.macTaken'); return { device: world.add(body), secret: 'q7fT2mZp9KxW4cVb6RnY8sLd' }; }
      case 'renewDeviceSecret': return { secret: 'x2RkP7vQ4nZc9TbW6mYs8HdL' };
      case 'addTask': return world.addTask(body);
      case 'listTasks': return world.page(world.tasksMatching(query), query);
      case 'getTask': { const task = world.task(params.id); if (!task) throw new Refusal('common.notFound'); return task; }
      case 'listTaskDevices': return world.page(world.taskDevices(params.id, query), query);
      case 'listDeviceTasks': return world.page(world.tasksOf(params.id), query);
      case 'stopTask': case 'cancelTask': return world.endTask(params.id, name === 'stopTask' ? 'stop' : 'cancel');
      case 'listOperationLog': return world.page(world.logMatching(query), query);
      default: throw new Refusal('common.routeUnknown');
    }
  }

  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '/', 'http://localhost');
    if (url.pathname === '/carillon.json') return void answer(res, 200, { clientId: 'console', clientSecret: 'public', productName: 'Carillon', version: '0.1.0' });
    if (url.pathname.startsWith('/api/')) return void api(req, res, url);
    const asked = join(site, url.pathname);
    const file = asked.startsWith(site) && extname(asked) !== '' && existsSync(asked) ? asked : join(site, 'index.html');
    const brotli = existsSync(`${file}.br`) && /\bbr\b/.test(req.headers['accept-encoding'] as string ?? '');
    res.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream', 'content-security-policy': policy, 'cache-control': file.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache', ...(brotli ? { 'content-encoding': 'br' } : {}) });
    createReadStream(brotli ? `${file}.br` : file).on('error', () => res.destroy()).pipe(res);
  });
  await new Promise<void>((go) => server.listen(port, '127.0.0.1', go));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, world, broken, streams,
    /** Streams opened since the start. */
    get opened() { return opened; },
    /** Makes every session dead, as after an administrator's lockout. */
    endSessions: () => live.clear(),
    stop: () => { world.stop(); for (const s of streams) s.end(); server.closeAllConnections(); return new Promise<void>((go) => { server.close(() => go()); }); },
  };
}

if (import.meta.main) {
  const port = Number(process.argv[2] ?? 23100);
  const { url } = await startServer(port, Number(process.argv[3] ?? 1284));
  console.log(url, account.username, account.password);
}
