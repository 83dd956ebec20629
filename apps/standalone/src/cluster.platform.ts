import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addTask } from '@carillon/contracts';
import { servingBrokers } from '@carillon/devtools/kafka';
import { newBrokerCertificate } from '@carillon/devtools/kafka-certificate';
import { contextHeader, signContext, systemContext } from '@carillon/tenancy';
import { eventually, rawRequest } from '@carillon/testing';
import { projectRoot, type Platform } from '@carillon/testing/platform';
import { devices, processes, servers, services, TestCluster } from './testing/cluster.ts';
import { effectsByCommand, journeys } from './testing/journey.ts';
import { openBrowser } from './testing/people.ts';
import { roleJourney } from './testing/role-journey.ts';
import { newTrace, spansOf, type Span } from './testing/trace.ts';

let cluster: TestCluster;
let platform: Platform;
beforeAll(async () => {
  cluster = await TestCluster.start();
  platform = cluster.platform;
}, 300_000);
afterAll(() => cluster?.close(), 300_000);

describe('one command starts two of every service over Kafka, Redis and PostgreSQL', () => {
  it('and status shows memory, age and lag of each process [OPS-01/cluster]', async () => {
    const { ready, processes: found } = await platform.status();
    expect(ready).toBe(true);
    expect(found.map((p) => p.name)).toEqual(['supervisor', 'postgres', 'redis', 'kafka', ...processes, 'simulator']);
    for (const p of found)
      expect([p.name, p.running, (p.memoryKb ?? 0) > 2_000, p.age !== null]).toEqual([p.name, true, true, true]);
    // A process that is busy may not answer.
    await eventually(async () => {
      for (const p of (await platform.status()).processes)
        if (/^(auth|device|task|notification)-/.test(p.name))
          expect([p.name, typeof p.lag]).toEqual([p.name, 'number']);
    });
  });

  journeys(() => platform, devices);
  roleJourney(() => platform);

  it('a service refuses a call that the API gateway has not signed [GW-04/forged]', async () => {
    const ask = (headers: Record<string, string>) =>
      rawRequest(
        { socketPath: join(platform.folder, 'run/services/device-1.sock') },
        { path: '/api/f/device/device/list', headers },
      );
    const context = {
      ...systemContext('00000000-0000-7000-8000-000000000001'),
      permissions: ['device' as const],
      orgIds: '*' as const,
    };
    for (const headers of [
      {},
      { [contextHeader]: signContext(context, randomBytes(32)) },
      { [contextHeader]: 'forged' },
    ] as Record<string, string>[]) {
      const { status, json } = await ask(headers);
      expect([status, json.error]).toEqual([401, 'common.tokenInvalid']);
    }
    // The same call with this installation's key succeeds, so the signature was the reason.
    const { contextKey } = JSON.parse(readFileSync(join(platform.folder, 'secrets.json'), 'utf8')) as {
      contextKey: string;
    };
    expect((await ask({ [contextHeader]: signContext(context, Buffer.from(contextKey, 'base64url')) })).status).toBe(
      200,
    );
  });

  it('a real browser shows the devices online, with real database, broker, cache and gateways [OPS-04]', async () => {
    // Each server is the real program.
    const programOf = (name: string): string =>
      readFileSync(`/proc/${platform.pid(name)}/cmdline`, 'utf8').replaceAll('\0', ' ');
    expect(programOf('postgres')).toMatch(/^\S+\/postgres -D /);
    expect(programOf('kafka')).toMatch(/java .* kafka\.Kafka /);
    expect(programOf('redis')).toMatch(/^redis-server /);
    const { page, close } = await openBrowser(platform);
    try {
      // Each is connected; some of them are abnormal or not configured.
      await page.goto('/device/list?state.not=offline');
      await page.getByText(/^1–\d+ of 200$/).waitFor();
    } finally {
      await close();
    }
  });

  it('Kafka accepts only TLS, and only clients with the certificate of this installation connect', async () => {
    const [host, port] = platform.brokers!.split(':') as [string, string];
    expect(host).toBe('127.0.0.1');
    const { login } = platform.busPlace('a test') as { login: { user: string; password: string } };
    const own = { certificate: readFileSync(platform.kafkaCa, 'utf8'), key: '' };
    expect([
      await servingBrokers(Number(port), { admin: login, certificate: own }),
      await servingBrokers(Number(port), { admin: login }),
      await servingBrokers(Number(port), { admin: login, certificate: await newBrokerCertificate() }),
    ]).toEqual([1, 0, 0]);
    const key = readFileSync(join(platform.folder, 'kafka/certificate-key.pem'), 'utf8').split('\n')[1]!;
    expect(statSync(join(platform.folder, 'kafka/certificate-key.pem')).mode & 0o777).toBe(0o600);
    for (const name of [...processes, 'kafka']) {
      const answer = readFileSync(`/proc/${platform.pid(name)}/environ`, 'utf8');
      expect([name, answer.includes(key)]).toEqual([name, false]);
      if (name !== 'kafka')
        expect([name, answer.includes(`CARILLON_KAFKA_CA=${platform.kafkaCa}`)]).toEqual([name, true]);
    }
  });

  it('a process prints its settings without the secret values', async () => {
    const key = randomBytes(32).toString('base64url');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(projectRoot, 'dist/cluster/auth.js'), '--print-config'],
      {
        env: {
          CARILLON_NAME: 'auth-7',
          CARILLON_CONTEXT_KEY: key,
          CARILLON_TOKEN_KEY: key,
          CARILLON_REDIS_URL: 'redis://:hush@127.0.0.1:6379',
        },
      },
    );
    expect(stdout).toContain('CARILLON_NAME=auth-7\n');
    expect(stdout).toContain('CARILLON_TOKEN_KEY=(hidden)\n');
    expect(stdout.match(/^# .{10,}\nCARILLON_\w+=/gm)!.length).toBeGreaterThan(25);
    for (const secret of [key, 'hush']) expect(stdout).not.toContain(secret);
  });

  it('one trace leads through all processes to the device and back [OPS-02/cluster]', async () => {
    await platform.allOnline(devices);
    const { traceparent, traceId, spanId } = newTrace();
    const task = await platform.client({ traceparent })(addTask, {
      body: { name: 'Traced', action: 'reboot', params: {}, target: { ids: [cluster.ids[5]!] } },
    });
    await platform.ended(task.id);
    const spans = await eventually(() => {
      const found = spansOf(cluster.traceFile, traceId);
      expect(found.map((s) => s.name)).toContain('link.result.v1 process');
      return found;
    });
    const one = (name: string): Span => spans.find((s) => s.name === name)!;
    const chain = [
      'POST /api/f/task/task',
      'TaskController.add',
      'task dispatch',
      'command to device',
      'device result',
      'link.result.v1 process',
    ];
    expect(chain.map((name) => [name, one(name)?.parentId])).toEqual(
      chain.map((name, i) => [name, i === 0 ? spanId : one(chain[i - 1]!)?.spanId]),
    );
  });

  it('every process reports metrics that add up to what happened [OPS-02/metrics]', async () => {
    await platform.allOnline(devices);
    let texts = new Map<string, string>();
    const sum = (name: string, pattern: RegExp, labels = ''): number =>
      [...texts]
        .filter(([process]) => pattern.test(process))
        .flatMap(([, text]) => text.split('\n').filter((l) => l.startsWith(`${name}{`) && l.includes(labels)))
        .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    // Earlier tests must be finished, so that nothing waits anywhere.
    await eventually(async () => {
      texts = new Map(
        await Promise.all(
          processes.map(async (name): Promise<[string, string]> => [name, (await platform.ops(name, '/metrics')).text]),
        ),
      );
      for (const metric of [
        'carillon_outbox_waiting',
        'carillon_outbox_age_seconds',
        'carillon_commands_in_flight',
        'carillon_bus_lag',
      ])
        expect([metric, sum(metric, /./)]).toEqual([metric, 0]);
    });
    for (const [name, text] of texts)
      for (const metric of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes', 'carillon_ready'])
        expect(text.includes(metric), `${name} ${metric}`).toBe(true);
    expect(sum('carillon_http_seconds_count', /^gateway/, 'route="/api/f/task/task",status="201"')).toBe(
      sum('carillon_http_seconds_count', /^task/, 'route="/api/f/task/task",status="201"'),
    );
    // Both processes of a service were scraped.
    for (const name of ['device-1', 'device-2'])
      expect(
        sum('carillon_http_seconds_count', new RegExp(name), 'route="/api/f/device/device/list"'),
        name,
      ).toBeGreaterThan(0);
    expect(sum('carillon_mqtt_connections', /^mqtt/, 'kind="device"')).toBe(devices);
    for (const name of ['mqtt-gateway-1', 'mqtt-gateway-2'])
      expect(sum('carillon_mqtt_connections', new RegExp(name), 'kind="device"'), name).toBeGreaterThan(0);
    expect(sum('carillon_mqtt_events_total', /^mqtt/, 'reason="written"')).toBeGreaterThanOrEqual(devices + 1);
    expect(sum('carillon_messages_total', /^task/, 'topic="link.result.v1"')).toBeGreaterThanOrEqual(devices);
    // docs/metrics.md explains each of our metrics.
    const explained = readFileSync(join(projectRoot, 'docs/metrics.md'), 'utf8');
    const ours = new Set(
      [...texts.values()].flatMap((text) => [...text.matchAll(/^# TYPE (carillon_\w+)/gm)].map((m) => m[1]!)),
    );
    expect([...ours].filter((name) => !explained.includes(`\`${name}\``))).toEqual([]);
    expect([...explained.matchAll(/`(carillon_\w+)`/g)].map((m) => m[1]!).filter((name) => !ours.has(name))).toEqual(
      [],
    );
  });
});

describe('processes are replaced one by one under load', () => {
  it('no call fails twice and no device acts twice while one of each is replaced [OPS-01/rolled]', () =>
    cluster.rollUnderLoad(['task-1', 'device-1', 'mqtt-gateway-1', 'gateway-1']));
});

it('one process of each kind dies at once during a task, and each device does it once [GW-02/deaths]', async () => {
  await platform.allOnline(devices);
  const before = await effectsByCommand(platform);
  const name = `Deaths ${randomBytes(4).toString('hex')}`;
  const logs = platform.logs();
  const ordered = cluster.order(name);
  await logs.line((line) => line['point'] === 'sent', 240_000);
  logs.close();
  const dead = [...[...services, 'mqtt-gateway', 'gateway'].map((kind) => `${kind}-1`), ...servers];
  await Promise.all(dead.map((name) => cluster.diesAndReturns(name)));
  await ordered;
  await cluster.everyDeviceDidItOnce(await platform.ended((await platform.taskNamed(name)).id, 240_000), before);
});
