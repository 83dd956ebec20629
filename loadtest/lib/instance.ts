import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createClient, token, type Client } from '@carillon/contracts';
import { freePorts } from '@carillon/devtools/free-port';

export const root = resolve(import.meta.dirname, '../..');

/** One session makes the calls of many users in a bench. */
const withoutLimits = {
  CARILLON_LOGINS_PER_MINUTE: '0',
  CARILLON_PUBLIC_CALLS_PER_MINUTE: '0',
  CARILLON_SESSION_CALLS_PER_MINUTE: '0',
  CARILLON_COMPANY_CALLS_PER_MINUTE: '0',
  CARILLON_FILES_PER_MINUTE: '0',
  CARILLON_TASKS_PER_MINUTE: '1000000',
};

export interface Instance {
  url: string;
  mqttPort: number;
  data: string;
  call: Client;
  headers: Record<string, string>;
  /** Seconds from the command to its line of JSON. */
  startedAfter: number;
  /** Every process of the instance, including PostgreSQL's sessions and the simulator. */
  processes(): { pid: number; name: string }[];
  /** Its PostgreSQL, as the superuser. */
  postgres(): { host: string; port: number; user: string; password: string };
  down(): void;
}

/** Switches the limits of devices off, because they would hide the speed of a fleet. */
export const withoutDeviceLimits = {
  CARILLON_CONNECTIONS: '19000',
  CARILLON_HALF_OPEN: '19000',
  CARILLON_HALF_OPEN_PER_ADDRESS: '19000',
  CARILLON_CONNECTS_PER_SECOND: '100000',
  CARILLON_CONNECT_BURST: '100000',
  CARILLON_DEVICE_CONNECTS_PER_MINUTE: '0',
  CARILLON_DEVICE_MESSAGES_PER_SECOND: '0',
  CARILLON_COMPANY_MESSAGES_PER_SECOND: '0',
};

/** Starts the product by its own command and logs in. */
export async function up(options: {
  devices: number;
  data?: string;
  more?: readonly string[];
  env?: Record<string, string>;
  /** Keeps the limits of the API gateway. */
  limits?: boolean;
}): Promise<Instance> {
  const data = options.data ?? mkdtempSync(join(tmpdir(), 'carillon-bench-'));
  const [port, mqttPort, phonePort] = (await freePorts(3)) as [number, number, number];
  const began = performance.now();
  const line = await new Promise<string>((done, failed) => {
    const child = spawn(
      join(root, 'carillon'),
      [
        'up',
        '--detach',
        '--json',
        '--data',
        data,
        '--port',
        String(port),
        '--mqtt-port',
        String(mqttPort),
        '--phone-port',
        String(phonePort),
        '--devices',
        String(options.devices),
        '--phones',
        '0',
        ...(options.more ?? []),
      ],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        cwd: root,
        env: {
          CARILLON_KEEP_FIRST_PASSWORD: '1',
          ...process.env,
          ...(options.limits ? {} : withoutLimits),
          ...options.env,
        },
      },
    );
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.on('exit', (code) => (code === 0 ? done(out) : failed(new Error(`carillon up ended with ${code}`))));
  });
  const startedAfter = (performance.now() - began) / 1000;
  const { url, admin, client } = JSON.parse(line) as {
    url: string;
    admin: { username: string; password: string };
    client: { id: string; secret: string };
  };
  const headers: Record<string, string> = {
    authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`,
  };
  const login = await createClient({ baseUrl: url, headers: () => headers })(token, {
    query: {},
    body: {
      grant_type: 'captcha',
      scope: 'all',
      username: admin.username,
      password: createHash('md5').update(admin.password).digest('hex'),
    },
  });
  headers['carillon-auth'] = `bearer ${login.access_token}`;
  return {
    url,
    mqttPort,
    data,
    headers,
    startedAfter,
    call: createClient({ baseUrl: url, headers: () => headers }),
    processes: () => processesOf(data),
    postgres: () => ({
      host: (JSON.parse(readFileSync(join(data, 'run', 'state.json'), 'utf8')) as { postgres: { socket: string } })
        .postgres.socket,
      port: 5432,
      user: 'postgres',
      password: (JSON.parse(readFileSync(join(data, 'secrets.json'), 'utf8')) as { postgres: string }).postgres,
    }),
    down() {
      execFileSync(join(root, 'carillon'), ['down', '--data', data], { cwd: root, stdio: 'ignore' });
      if (!options.data) rmSync(data, { recursive: true, force: true });
    },
  };
}

function processesOf(data: string): { pid: number; name: string }[] {
  const state = JSON.parse(readFileSync(join(data, 'run', 'state.json'), 'utf8')) as {
    supervisor: number;
    postgres: { pid: number };
    processes: Record<string, number>;
  };
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const parent = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))![1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    } catch {
      /* it has ended */
    }
  }
  const all = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(all)];
  return [
    { pid: state.supervisor, name: 'supervisor' },
    ...Object.entries(state.processes).map(([name, pid]) => ({ pid, name })),
    ...all(state.postgres.pid).map((pid) => ({ pid, name: 'postgres' })),
  ];
}

/** Returns the proportional set size in MB. */
export function pss(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1]) / 1024;
  } catch {
    return 0;
  }
}

/** Returns user and system time of a process so far, in milliseconds. */
export function cpu(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

/** Returns the work of all the machine's processors so far, in milliseconds. */
export function machineCpu(): number {
  const [, user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8')
    .split('\n')[0]!
    .split(/\s+/)
    .map(Number);
  return (user! + nice! + system! + irq! + softirq!) * 10;
}
