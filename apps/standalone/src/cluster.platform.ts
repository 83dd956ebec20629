import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { addTask, editDevice, listDevices, listTasks, type TaskRecord } from '@carillon/contracts';
import { servingBrokers } from '@carillon/devtools/kafka';
import { newBrokerCertificate } from '@carillon/devtools/kafka-certificate';
import { contextHeader, signContext, systemContext } from '@carillon/tenancy';
import { eventually, rawRequest } from '@carillon/testing';
import { carillon, Platform, projectRoot, waysToRun } from '@carillon/testing/platform';
import { chosenFaults, stoppedMs, type Fault } from './testing/fault.ts';
import { effectsByCommand, effectsSince, journeys } from './testing/journey.ts';
import { observability } from './testing/observability.ts';
import { browserWhile, openBrowser, p95, peopleWhile, usableWithinMs, type Waits } from './testing/people.ts';
import { roleJourney } from './testing/role-journey.ts';
import { Reporters } from './testing/reporter.ts';
import { newTrace, spansOf, type Span } from './testing/trace.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Twelve that the commit draws in CI, all by `./carillon test --faults`. */
    faults: 'short' | 'whole';
  }
}

const devices = 200;
const traceFile = `/tmp/carillon-cluster-trace-${process.pid}.jsonl`;
const environment = {
  CARILLON_KEEP_FIRST_PASSWORD: '1',
  CARILLON_TRACE_FILE: traceFile,
  CARILLON_TASK_PATIENCE: '5',
};
let platform: Platform;
/** The simulated ones: reporters are devices too, and do nothing that they are told. */
let ids: string[];
let reporters: Reporters | undefined;

beforeAll(async () => {
  platform = await Platform.start({
    name: 'c',
    devices,
    ...waysToRun.cluster,
    args: ['--reboot-ms', '1000'],
    env: environment,
  });
  const found = await Promise.all(
    [1, 2].map((page) => platform.call(listDevices, { query: { page, limit: 100, sort: 'mac' } })),
  );
  ids = found.flatMap((f) => f.records.map((r) => r.id));
}, 300_000);
afterAll(async () => {
  await reporters?.stop();
  await platform?.close();
  rmSync(traceFile, { force: true });
}, 300_000);

const services = ['auth', 'org', 'device', 'provisioning', 'resource', 'task', 'notification', 'license'];
const expected = [
  ...services.flatMap((s) => [`${s}-1`, `${s}-2`]),
  'mqtt-gateway-1',
  'mqtt-gateway-2',
  'gateway-1',
  'gateway-2',
];
const order = (name: string): Promise<TaskRecord | undefined> =>
  platform.call(addTask, { body: { name, action: 'reboot', params: {}, target: { ids } } }).catch(() => undefined);

async function everyDeviceDidItOnce(task: TaskRecord, before: ReadonlyMap<string, number>): Promise<void> {
  expect([task.status, task.counts]).toEqual([
    'success',
    { total: devices, success: devices, fail: 0, timeout: 0, cancel: 0, process: 0, wait: 0 },
  ]);
  const rows = await platform.taskDevices(task.id);
  expect(rows.map((row) => row.status)).toEqual(Array(devices).fill('success'));
  const done = await effectsSince(platform, before);
  expect(rows.flatMap(({ mac }) => (done.get(mac) === 1 ? [] : [{ mac, times: done.get(mac) ?? 0 }]))).toEqual([]);
}

describe('one command starts two of every service over Kafka, Redis and PostgreSQL', () => {
  it('and status tells each process with its memory, age and lag [OPS-01/cluster]', async () => {
    const { ready, processes } = await platform.status();
    expect(ready).toBe(true);
    expect(processes.map((p) => p.name)).toEqual([
      'supervisor',
      'postgres',
      'redis',
      'kafka',
      ...expected,
      'simulator',
    ]);
    for (const p of processes)
      expect([p.name, p.running, (p.memoryKb ?? 0) > 2_000, p.age !== null]).toEqual([p.name, true, true, true]);
    // A process that is busy when it is asked tells none.
    await eventually(async () => {
      for (const p of (await platform.status()).processes)
        if (/^(auth|device|task|notification)-/.test(p.name))
          expect([p.name, typeof p.lag]).toEqual([p.name, 'number']);
    });
  });

  journeys(() => platform, devices);
  roleJourney(() => platform);

  it('a service refuses a call that does not come through the API gateway, signed by nobody or by somebody else [GW-04/forged]', async () => {
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
    // The same call with the key of this installation is answered: it is the signature that was missing.
    const { contextKey } = JSON.parse(readFileSync(join(platform.folder, 'secrets.json'), 'utf8')) as {
      contextKey: string;
    };
    expect((await ask({ [contextHeader]: signContext(context, Buffer.from(contextKey, 'base64url')) })).status).toBe(
      200,
    );
  });

  it('in a real browser the list shows its devices online: over the real database, broker, cache and MQTT gateways, none of them stood in for [OPS-04]', async () => {
    // Each server is the program itself.
    const programOf = (name: string): string =>
      readFileSync(`/proc/${platform.pid(name)}/cmdline`, 'utf8').replaceAll('\0', ' ');
    expect(programOf('postgres')).toMatch(/^\S+\/postgres -D /);
    expect(programOf('kafka')).toMatch(/java .* kafka\.Kafka /);
    expect(programOf('redis')).toMatch(/^redis-server /);
    const { page, close } = await openBrowser(platform);
    try {
      expect(await page.locator('main').innerText()).toMatch(/\b200\b/);
    } finally {
      await close();
    }
  });

  it('all devices are cut at once, and then both MQTT gateways die under them: over Kafka, too, every one is back and does the next order once, and at a browser that is open all the while one goes from page to page, of which none fails [GW-04/cluster]', async () => {
    await platform.allOnline(devices);
    const people = (await Promise.all(Array.from({ length: 2 }, () => Platform.join(platform.folder)))).map((person) =>
      person.plainClient(),
    );
    const { page, close } = await openBrowser(platform);
    const broken: string[] = [];
    page.on('pageerror', (error) => broken.push(error.message));
    page.on('response', (response) => {
      if (response.status() >= 500) broken.push(`${response.status()} ${response.url()}`);
    });
    const storm = async (blow: () => Promise<void>) => {
      const { offlines } = await platform.stats();
      let clicks: Waits = { ms: [], failures: [] };
      const asks = await peopleWhile(people, async () => {
        clicks = await browserWhile(page, async () => {
          await blow();
          await eventually(async () =>
            expect((await platform.stats()).offlines - offlines).toBeGreaterThanOrEqual(devices),
          );
          await platform.allOnline(devices);
        });
      });
      expect([asks.failures, clicks.failures, broken]).toEqual([[], [], []]);
      expect([asks.ms.length > 10, clicks.ms.length > 0]).toEqual([true, true]);
      expect(p95(asks)).toBeLessThan(usableWithinMs);
      // Two pages with their lists, by somebody who waits for each.
      expect(p95(clicks)).toBeLessThan(usableWithinMs);
    };
    try {
      await storm(async () => void (await platform.simulator('/cut', {})));
      const logs = platform.logs();
      await storm(async () => {
        for (const name of ['mqtt-gateway-1', 'mqtt-gateway-2']) platform.kill(name);
      });
      logs.close();
      // What the page shows of them is so, without being loaded anew.
      await page
        .locator('main')
        .getByText(/\b200\b/)
        .first()
        .waitFor();
      const before = await effectsByCommand(platform);
      const { id } = (await order('After the storm'))!;
      await everyDeviceDidItOnce(await platform.ended(id, 240_000), before);
    } finally {
      await close();
    }
  }, 600_000);

  it('Kafka speaks over TLS alone, with whoever trusts the certificate of this installation, and its key stays with its data', async () => {
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
    for (const name of [...expected, 'kafka']) {
      const told = readFileSync(`/proc/${platform.pid(name)}/environ`, 'utf8');
      expect([name, told.includes(key)]).toEqual([name, false]);
      if (name !== 'kafka')
        expect([name, told.includes(`CARILLON_KAFKA_CA=${platform.kafkaCa}`)]).toEqual([name, true]);
    }
  });

  it('a process says which settings it takes, and keeps the secret ones to itself', async () => {
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

  it('one trace leads through the processes: API gateway, service, outbox, Kafka, MQTT gateway, device and back [OPS-02/cluster]', async () => {
    await platform.allOnline(devices);
    const { traceparent, traceId, spanId } = newTrace();
    const task = await platform.client({ traceparent })(addTask, {
      body: { name: 'Traced', action: 'reboot', params: {}, target: { ids: [ids[5]!] } },
    });
    await platform.ended(task.id);
    const spans = await eventually(() => {
      const found = spansOf(traceFile, traceId);
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

  it('every process tells its metrics, and they add up to what happened [OPS-02/metrics]', async () => {
    await platform.allOnline(devices);
    let texts = new Map<string, string>();
    const sum = (name: string, of: RegExp, labels = ''): number =>
      [...texts]
        .filter(([process]) => of.test(process))
        .flatMap(([, text]) => text.split('\n').filter((l) => l.startsWith(`${name}{`) && l.includes(labels)))
        .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    // What the tests before began is handled first: then nothing waits anywhere.
    await eventually(async () => {
      texts = new Map(
        await Promise.all(
          expected.map(async (name): Promise<[string, string]> => [name, (await platform.ops(name, '/metrics')).text]),
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
    // Both processes of a service were asked.
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
    // Each of ours is explained.
    const explained = readFileSync(join(projectRoot, 'docs/metrics.md'), 'utf8');
    const ours = new Set(
      [...texts.values()].flatMap((text) => [...text.matchAll(/^# TYPE (carillon_\w+)/gm)].map((m) => m[1]!)),
    );
    expect([...ours].filter((name) => !explained.includes(`\`${name}\``))).toEqual([]);
    expect([...explained.matchAll(/`(carillon_\w+)`/g)].map((m) => m[1]!).filter((name) => !ours.has(name))).toEqual(
      [],
    );
  });

  observability(
    () => platform,
    traceFile,
    () => ids[7]!,
  );

  it('a process says in words why it is not ready, and lives all the while [OPS-02/ready]', async () => {
    const thaw = platform.freeze('postgres');
    try {
      const ready = await platform.ops('device-1', '/readyz');
      expect([ready.status, ready.json.ready, ready.json.checks.bus]).toEqual([503, false, 'ok']);
      expect(ready.json.checks.database).not.toBe('ok');
      expect((await platform.ops('device-1', '/livez')).json).toEqual({ live: true });
    } finally {
      thaw();
    }
    await eventually(async () => {
      expect((await platform.ops('device-1', '/readyz')).status).toBe(200);
    }, 30_000);
  });
});

describe('every process is replaced, one by one, under load', () => {
  it('no call fails but those that one repetition mends, and no device is told twice [OPS-01/rolling]', async () => {
    await platform.allOnline(devices);
    reporters = await Reporters.start(platform, 4);
    const before = await effectsByCommand(platform);
    const counts = { done: 0, repeated: 0 };
    const failed: string[] = [];
    let rolling = true;
    // Less of it in CI, where the processes that start are to get through on two cores, too.
    const pause = inject('faults') === 'whole' ? { calls: 100, tasks: 4_000 } : { calls: 250, tasks: 8_000 };
    const once = async (what: () => Promise<unknown>): Promise<void> => {
      try {
        await what();
      } catch {
        counts.repeated++;
        // What a browser, or a person, does on "try again".
        await delay(1_000);
        await what().catch((error: Error) => {
          // Some errors of connections have no message.
          failed.push(inspect(error, { depth: 4 }));
        });
      }
      counts.done++;
    };
    const plain = platform.plainClient();
    const load = [0, 1].map(async (n) => {
      for (let i = 0; rolling; i++) {
        await once(() => plain(listDevices, { query: { page: 1, limit: 20 } }));
        await once(() => plain(editDevice, { body: { id: ids[n]!, name: `Phone ${n} ${i}` } }));
        await delay(pause.calls);
      }
    });
    const orders: string[] = [];
    const ordering = (async () => {
      for (let i = 0; rolling; i++) {
        orders.push(`Rolling ${String(i).padStart(3, '0')}`);
        if ((await order(orders.at(-1)!)) === undefined) {
          counts.repeated++;
          await delay(1_000);
          // Whether it arrived nobody said: one that did is not ordered again.
          const { total } = await platform.call(listTasks, { query: { search: orders.at(-1)! } });
          if (total === 0) await order(orders.at(-1)!);
        }
        await platform.ended((await platform.taskNamed(orders.at(-1)!)).id, 240_000);
        await delay(pause.tasks);
      }
    })();
    const rolled = await carillon(['roll', '--data', platform.folder]);
    rolling = false;
    await Promise.all([...load, ordering]);
    expect(rolled.code, rolled.stderr).toBe(0);
    expect(rolled.stdout.match(/replaced in/g)).toHaveLength(expected.length);
    process.stdout.write(`rolling: ${counts.done} calls, ${counts.repeated} repeated once, ${orders.length} tasks\n`);
    expect(failed).toEqual([]);
    const done = await effectsSince(platform, before);
    const wrong = [...done].filter(([, times]) => times !== orders.length);
    expect(wrong).toEqual([]);
    for (const name of orders)
      expect((await platform.taskNamed(name)).counts).toMatchObject({ total: devices, success: devices });
  }, 1_200_000);
});

const faults = chosenFaults(inject('faults'));

describe(`${faults.length} faults in the midst of a task of ${devices} devices, while others report all the time`, () => {
  const told: string[] = [];
  let before: Map<string, number>;
  beforeAll(async () => {
    reporters ??= await Reporters.start(platform, 4);
    before = await effectsByCommand(platform);
  }, 300_000);

  const processOf = (victim: Fault['victim'], seenBy: string): string => {
    if (['kafka', 'redis', 'postgres'].includes(victim)) return victim;
    // The one that is at it, if it is one of these.
    return seenBy.startsWith(`${victim}-`) ? seenBy : `${victim}-1`;
  };

  it.for(faults)(
    '$blow of $victim at "$point": each device did it once, the sums are exact [OPS-04/faults] [GW-02/faults]',
    { timeout: 600_000 },
    async ({ victim, blow, point }) => {
      await platform.allOnline(devices);
      const calls = async (count: number): Promise<void> => {
        await Promise.all(
          (await platform.devices()).map(({ mac }) => platform.simulator('/state', { mac, calls: count })),
        );
      };
      // During a call a device accepts and waits, so that nothing but the acceptance is stored.
      if (point === 'acknowledged') await calls(1);
      const beforeThis = await effectsByCommand(platform);
      const [logs, supervisor] = [platform.logs(), platform.log('supervisor')];
      const name = `${blow} ${victim} ${point} ${randomBytes(4).toString('hex')}`;
      const ordered = order(name);
      const seen = await logs.line((line) => line['point'] === point, 240_000);
      const began = performance.now();
      const target = processOf(victim, seen.process);
      if (blow === 'SIGKILL') {
        const back =
          target === victim
            ? supervisor.line((line) => line['point'] === 'restarted' && line['process'] === target, 240_000)
            : logs.line((line) => line['point'] === 'ready' && line['process'] === target, 240_000);
        platform.kill(target);
        // The next fault finds everybody there.
        await back;
      } else {
        const thaw = platform.freeze(target);
        await delay(stoppedMs);
        thaw();
      }
      if (point === 'acknowledged') await calls(0);
      await ordered;
      const task = await platform.ended((await platform.taskNamed(name)).id, 240_000);
      told.push(
        `${blow} of ${target} at ${point}: ended ${((performance.now() - began) / 1000).toFixed(1)} s after it`,
      );
      await everyDeviceDidItOnce(task, beforeThis);
      logs.close();
      supervisor.close();
    },
  );

  const back = async (target: string): Promise<void> => {
    const [logs, supervisor] = [platform.logs(), platform.log('supervisor')];
    const again = expected.includes(target)
      ? logs.line((line) => line['point'] === 'ready' && line['process'] === target, 240_000)
      : supervisor.line((line) => line['point'] === 'restarted' && line['process'] === target, 240_000);
    platform.kill(target);
    await again;
    logs.close();
    supervisor.close();
  };

  it('whichever process dies in the midst of a task, each service, both gateways, each server, and all of them with their supervisor: no event that was acknowledged to its device is lost, each device does it once, nothing waits and nothing is put aside [GW-02] [TASK-07]', async () => {
    const servers = ['kafka', 'redis', 'postgres'];
    const kinds = [...services, 'mqtt-gateway', 'gateway', ...servers];
    const dead = new Set<string>(faults.filter(({ blow }) => blow === 'SIGKILL').map(({ victim }) => victim));
    const inTheMidst = async (name: string, blow: () => Promise<void>): Promise<void> => {
      await platform.allOnline(devices);
      const beforeThis = await effectsByCommand(platform);
      const logs = platform.logs();
      const ordered = order(name);
      await logs.line((line) => line['point'] === 'sent', 240_000);
      logs.close();
      await blow();
      await ordered;
      const task = await platform.ended((await platform.taskNamed(name)).id, 300_000);
      await everyDeviceDidItOnce(task, beforeThis);
      told.push(name);
    };
    const mark = randomBytes(4).toString('hex');
    for (const kind of kinds.filter((name) => !dead.has(name))) {
      await inTheMidst(`Death of ${kind} ${mark}`, () => back(servers.includes(kind) ? kind : `${kind}-1`));
      dead.add(kind);
    }
    expect([...dead].toSorted()).toEqual(kinds.toSorted());
    await inTheMidst(`Death of all ${mark}`, async () => {
      killEverything();
      const again = await carillon(upAgain(), { env: environment });
      expect(again.code, again.stderr).toBe(0);
    });

    await platform.allOnline(devices);
    await reporters!.stop();
    const sent = reporters!.acknowledged.size;
    expect(sent).toBeGreaterThan(500);
    expect(await reporters!.lost(platform)).toEqual([]);
    expect([...(await effectsSince(platform, before))].filter(([, times]) => times !== told.length)).toEqual([]);
    await eventually(async () => {
      const { ready, processes } = await platform.status();
      expect([ready, processes.filter((p) => !p.running), processes.filter((p) => (p.lag ?? 0) > 0)]).toEqual([
        true,
        [],
        [],
      ]);
    }, 240_000);
    expect((await carillon(['dead-letters', 'list', '--data', platform.folder])).stdout).toBe('');
    process.stdout.write(`${told.join('\n')}\n${sent} events acknowledged, 0 lost\n`);
  }, 1_200_000);
});

/** The command that started it. */
function upAgain(): string[] {
  const { port, hostname } = new URL(platform.ready.url);
  return [
    'up',
    '--cluster',
    '--data',
    platform.folder,
    '--port',
    port,
    '--host',
    hostname,
    '--mqtt-port',
    new URL(platform.ready.mqtt).port,
    '--devices',
    String(devices),
    '--reboot-ms',
    '1000',
    '--detach',
    '--json',
  ];
}

function killEverything(): void {
  for (const name of ['supervisor', ...platform.processes, 'kafka', 'redis', 'postgres'])
    try {
      platform.kill(name);
    } catch {
      /* it went with another */
    }
}

it('up a second time says the same and starts nothing, and after kill -9 of everything it just works [OPS-01/cluster-killed]', async () => {
  const up = await carillon(upAgain(), { env: environment });
  expect([up.code, JSON.parse(up.stdout)]).toEqual([0, platform.ready]);
  killEverything();
  const second = await carillon(upAgain(), { env: environment });
  expect(second.code, second.stderr).toBe(0);
  expect(JSON.parse(second.stdout)).toEqual(platform.ready);
  await platform.allOnline(devices);
}, 300_000);
