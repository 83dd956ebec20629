import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, createServer, request } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authAccess, permissionKeys, services, type AccessView } from '@carillon/contracts';
import { allTopics } from '@carillon/contracts/topics';
import { bench, report, runs, spread } from '@carillon/devtools/bench';
import { freePort } from '@carillon/devtools/free-port';
import { envelope, migrateBus, PostgresBus, toRecord } from '@carillon/messaging';
import { provision } from '@carillon/persistence';
import { accessTokenSeconds, createAccessToken } from '@carillon/tenancy';
import { testPostgres } from '@carillon/testing/postgres';
import { cpu, root } from './lib/instance.ts';

const each = 6_000;
const together = 16;
const answer = JSON.stringify({
  code: 200,
  success: true,
  msg: '',
  data: {
    records: Array.from({ length: 5 }, (_, i) => ({
      id: randomUUID(),
      name: `Organization ${i}`,
      description: 'x'.repeat(120),
    })),
    total: 5,
    current: 1,
    size: 20,
  },
});
const calls = [
  { name: 'read', method: 'GET', path: '/api/f/mc/org?page=1&limit=20', body: undefined },
  {
    name: 'change',
    method: 'PUT',
    path: '/api/f/device/device',
    body: JSON.stringify({ id: randomUUID(), name: 'Reception, ground floor' }),
  },
] as const;

/**
 * Measures the CPU time of one request in the process that it passes: the API gateway, with session, permissions,
 * limits, signed context and headers, compared with a proxy of Node's own modules that does none of it. Both are in
 * front of the same server.
 */
await bench('proxy', async () => {
  process.stdout.write('     the limits of calls a minute are off\n');
  const folder = mkdtempSync(join(tmpdir(), 'carillon-bench-'));
  const socketPath = join(folder, 'behind.sock');
  let met = 0;
  const behind = createServer((q, s) => {
    let length = 0;
    q.on('data', (c: Buffer) => {
      length += c.length;
    }).on('end', () => {
      if (q.url !== '/readyz' && q.url !== '/livez') met++;
      if (q.method === 'PUT' && length !== calls[1].body.length) s.statusCode = 500;
      s.setHeader('content-type', 'application/json; charset=utf-8');
      s.end(answer);
    });
  });
  await new Promise<void>((r) => {
    behind.listen(socketPath, r);
  });
  const ours = await gateway(folder, socketPath);
  const bare = await child([join(root, 'loadtest/lib/bare-proxy.ts'), socketPath], {});
  try {
    const subjects = [
      { name: 'gateway', port: ours.port, pid: ours.process.pid! },
      { name: 'bare', port: bare.port, pid: bare.process.pid! },
    ] as const;
    for (const { port } of subjects) for (const call of calls) await load(port, call, ours.headers, 2_000);
    for (const call of calls) {
      const seconds = { gateway: [] as number[], bare: [] as number[] };
      for (let run = 0; run < runs(); run++) {
        for (const { name, port, pid } of subjects) {
          const [before, metBefore] = [cpu(pid), met];
          await load(port, call, ours.headers, each);
          if (met - metBefore !== each) throw new Error(`${name}: ${met - metBefore} of ${each} requests came through`);
          seconds[name].push(((cpu(pid) - before) / each) * 1_000);
        }
      }
      const ratios = seconds.gateway.map((value, i) => value / seconds.bare[i]!);
      report(
        {
          name: `${call.name} through the API gateway, processor time`,
          unit: 'µs',
          value: spread(seconds.gateway).median,
          beside: { name: 'a bare Node proxy', value: spread(seconds.bare).median },
        },
        spread(seconds.gateway),
      );
      report(
        {
          name: `${call.name}: ratio to the bare proxy, median of the runs`,
          unit: '',
          value: spread(ratios).median,
          atMost: 2.5,
        },
        spread(ratios),
      );
    }
  } finally {
    for (const one of [ours.process, bare.process]) one.kill();
    await ours.close();
    behind.closeAllConnections();
    behind.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/**
 * Sends `count` requests, several at a time over kept connections. Each answer must be the one that the server gave.
 */
async function load(
  port: number,
  call: (typeof calls)[number],
  headers: Record<string, string>,
  count: number,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: together });
  let left = count;
  const one = (): Promise<void> =>
    new Promise((done, failed) => {
      const q = request(
        {
          host: '127.0.0.1',
          port,
          agent,
          method: call.method,
          path: call.path,
          headers: {
            ...headers,
            ...(call.body
              ? { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(call.body)) }
              : {}),
          },
        },
        (s) => {
          let text = '';
          s.setEncoding('utf8')
            .on('data', (c: string) => {
              text += c;
            })
            .on('end', () =>
              s.statusCode === 200 && text === answer
                ? done()
                : failed(new Error(`${s.statusCode}: ${text.slice(0, 200)}`)),
            );
        },
      );
      q.on('error', failed).end(call.body);
    });
  await Promise.all(
    Array.from({ length: together }, async () => {
      while (left-- > 0) await one();
    }),
  );
  agent.destroy();
}

async function child(
  args: readonly string[],
  environment: Record<string, string>,
  port?: number,
): Promise<{ process: ChildProcess; port: number }> {
  const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    env: { ...process.env, ...environment },
    stdio: port === undefined ? ['ignore', 'pipe', 'inherit'] : ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const answer = await new Promise<unknown>((r, failed) => {
    started.once('exit', () => failed(new Error(`${args[0]} did not start`)));
    if (port === undefined) started.stdout!.once('data', (c: Buffer) => r(Number(c.toString())));
    else
      started.on('message', (m: { ready?: boolean }) => {
        if (m.ready) r(port);
      });
  });
  return { process: started, port: answer as number };
}

/** Starts the API gateway as a process of the cluster, with a user who has all permissions. */
async function gateway(
  folder: string,
  socketPath: string,
): Promise<{ process: ChildProcess; port: number; headers: Record<string, string>; close(): Promise<void> }> {
  const admin = await testPostgres();
  const connection = {
    host: admin.host,
    port: admin.port,
    database: 'carillon_bus',
    user: 'carillon_bus_app',
    password: 'application',
    poolMax: 3,
  };
  await provision(admin, connection, 'owner');
  await migrateBus({
    host: admin.host,
    port: admin.port,
    database: 'carillon_bus',
    user: 'carillon_bus_owner',
    password: 'owner',
  });
  const bus = await PostgresBus.open({
    connection: {
      host: admin.host,
      port: admin.port,
      database: 'carillon_bus',
      user: connection.user,
      password: connection.password,
    },
    name: 'bench',
  });
  await bus.ensureTopics(allTopics);
  const orgId = randomUUID();
  const view: AccessView = {
    userId: randomUUID(),
    companyId: randomUUID(),
    username: 'bench',
    nickname: 'Bench',
    accountType: 'ordinary',
    status: 'normal',
    roleIds: [],
    permissions: [...permissionKeys],
    orgIds: [orgId],
    defaultOrgId: orgId,
    language: null,
    timezoneId: 7,
    tokensValidAfter: 0,
  };
  await bus.publish([
    toRecord(authAccess, view.userId, view, envelope('access', { companyId: view.companyId, version: 1 })),
  ]);
  const tokenKey = randomBytes(32);
  const now = Date.now();
  const token = createAccessToken(
    {
      userId: view.userId,
      companyId: view.companyId,
      sessionId: randomUUID(),
      issuedAt: now,
      expiresAt: now + accessTokenSeconds * 1000,
      activeAt: now,
    },
    tokenKey,
  );
  const port = await freePort();
  const started = await child(
    [join(root, 'dist/cluster/gateway.js')],
    {
      CARILLON_NAME: 'bench',
      CARILLON_HTTP_PORT: String(port),
      CARILLON_BUS: 'postgres',
      CARILLON_BUS_PASSWORD: connection.password,
      CARILLON_DATABASE_HOST: admin.host,
      CARILLON_DATABASE_PORT: String(admin.port),
      CARILLON_LOG_LEVEL: 'error',
      // One session makes the calls of many users here.
      CARILLON_SESSION_CALLS_PER_MINUTE: '0',
      CARILLON_COMPANY_CALLS_PER_MINUTE: '0',
      CARILLON_PUBLIC_CALLS_PER_MINUTE: '0',
      CARILLON_CONTEXT_KEY: randomBytes(32).toString('base64url'),
      CARILLON_TOKEN_KEY: tokenKey.toString('base64url'),
      CARILLON_CLIENT_ID: 'bench',
      CARILLON_CLIENT_SECRET: 'secret-of-the-bench',
      CARILLON_UPSTREAMS: JSON.stringify(
        Object.fromEntries(services.filter((s) => s !== 'gateway').map((s) => [s, { socketPath }])),
      ),
      CARILLON_CONSOLE_DIR: folder,
    },
    port,
  );
  const headers = {
    'carillon-auth': `bearer ${token}`,
    'carillon-language': 'en_US',
    'carillon-timezone': '7',
    accept: 'application/json',
    'accept-language': 'en-GB,en;q=0.9',
    'user-agent':
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'cors',
    'sec-fetch-dest': 'empty',
    'cache-control': 'no-cache',
  };
  return { ...started, headers, close: () => bus.close() };
}
