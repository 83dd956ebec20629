import { devicePlace } from '@carillon/testing';
import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync, existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDevice, bladeUserInfo, countDevices, listOrganizationNames, token } from '@carillon/contracts';
import { freePorts } from '@carillon/devtools/free-port';
import {
  carillon,
  dataFolderOf,
  logIn,
  Platform,
  processesOf,
  projectRoot,
  type Ready,
} from '@carillon/testing/platform';

const asRoot = process.getuid?.() === 0;
/** Runs a command as an unprivileged user when the tests run as root. */
const asNobody = asRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];

/** The checkout as another user can read it: bind-mounted elsewhere when only root can enter the original folder. */
let checkout = projectRoot;
beforeAll(() => {
  const [program, ...args] = [...asNobody, 'cat', join(projectRoot, 'carillon')];
  if (spawnSync(program!, args, { stdio: 'ignore' }).status === 0) return;
  checkout = dataFolderOf('checkout');
  const mounted = spawnSync('mount', ['--bind', projectRoot, checkout], { encoding: 'utf8' });
  if (mounted.status !== 0) throw new Error(`no other user may read ${projectRoot}: ${mounted.stderr}`);
});
afterAll(() => {
  if (checkout === projectRoot) return;
  spawnSync('umount', [checkout]);
  rmdirSync(checkout);
});

const folders: string[] = [];
const folderOf = (name: string): string => {
  const folder = dataFolderOf(name);
  folders.push(folder);
  return folder;
};
afterAll(async () => {
  for (const folder of folders) {
    await carillon(['down', '--data', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Expects one sentence on stderr, nothing on standard output, and a non-zero exit code. */
async function refused(args: readonly string[], sentence: RegExp, through: readonly string[] = []): Promise<void> {
  const root = through.length > 0 ? checkout : projectRoot;
  const answer = await carillon(['up', ...args], { through, root });
  expect(answer.stderr).toMatch(sentence);
  expect(answer.stderr.trimEnd().split('\n')).toHaveLength(1);
  expect([answer.code, answer.stdout]).toEqual([1, '']);
}
const ports = async (): Promise<string[]> => {
  const [port, mqttPort, phonePort] = (await freePorts(3)).map(String) as [string, string, string];
  return ['--port', port, '--mqtt-port', mqttPort, '--phone-port', phonePort, '--json'];
};

describe('up says in one sentence why it cannot start, and ends with 1 [OPS-01/refused]', () => {
  it('a port that is taken', async () => {
    const taken = createServer();
    const port = await new Promise<number>((done) => {
      taken.listen(0, '127.0.0.1', () => done((taken.address() as { port: number }).port));
    });
    const [other] = await freePorts(1);
    const folder = folderOf('port');
    await refused(
      ['--data', folder, '--port', String(port), '--mqtt-port', String(other)],
      new RegExp(`^carillon: Port ${port} is taken; choose another with --port\\.\n$`),
    );
    await refused(
      ['--data', folder, '--port', String(other), '--mqtt-port', String(port)],
      new RegExp(`^carillon: Port ${port} is taken; choose another with --mqtt-port\\.\n$`),
    );
    const [mqtt] = await freePorts(1);
    await refused(
      ['--data', folder, '--port', String(other), '--mqtt-port', String(mqtt), '--phone-port', String(port)],
      new RegExp(`^carillon: Port ${port} is taken; choose another with --phone-port\\.\n$`),
    );
    taken.close();
    expect(processesOf(folder)).toEqual([]);
  });

  it('a folder that this user may not write to', async () => {
    const folder = folderOf('right');
    if (!asRoot) rmSync(folder, { recursive: true });
    if (!asRoot) mkdirSync(folder, { mode: 0o555 });
    await refused(
      ['--data', folder, ...(await ports())],
      /^carillon: .* cannot be written to \(EACCES\); choose another --data or give this user the right\.\n$/,
      asNobody,
    );
  });

  it('a disk without room', async () => {
    // A separate disk that goes with its process. Without root a user namespace can mount one.
    const small = [
      'unshare',
      ...(asRoot ? ['-m'] : ['-rm']),
      'sh',
      '-c',
      'mount -t tmpfs -o size=20m none "$0" && exec "$@"',
      folderOf('disk'),
    ];
    await refused(
      ['--data', folders.at(-1)!, ...(await ports())],
      /^carillon: The disk of .* has less than 400 MB free\.\n$/,
      small,
    );
  });

  it('a data folder of another version', async () => {
    const folder = folderOf('version');
    writeFileSync(join(folder, 'version'), '7\n');
    await refused(
      ['--data', folder, ...(await ports())],
      /^carillon: .* was written by a version with data layout 7, this one reads 1; start that version or choose another --data\.\n$/,
    );
  });

  it('a machine without enough memory', async () => {
    await refused(
      ['--data', folderOf('memory'), '--needed-memory', '99999999', ...(await ports())],
      /^carillon: Only \d+ MB of memory are free; 99999999 MB are needed\.\n$/,
    );
  });

  it('a path that is too long for a socket', async () => {
    await refused(
      ['--data', `/tmp/${'long'.repeat(30)}`, ...(await ports())],
      /^carillon: .* is a path of more than 7\d characters; choose a shorter --data\.\n$/,
    );
  });

  it('a number that is none', async () => {
    await refused(['--port', 'eighty'], /^carillon: eighty is not a whole number\.\n$/);
  });
});

describe('an installation for real use', () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await Platform.start({ name: 'cli', devices: 0 });
  });
  afterAll(async () => {
    await platform?.close();
  });
  const again = async (...args: string[]): Promise<Ready> => {
    const { port, hostname } = new URL(platform.ready.url);
    const up = await carillon([
      'up',
      '--data',
      platform.folder,
      '--port',
      port,
      '--host',
      hostname,
      '--mqtt-port',
      new URL(platform.ready.mqtt).port,
      '--phone-port',
      new URL(platform.ready.phones!).port,
      '--devices',
      '0',
      '--detach',
      '--json',
      ...args,
    ]);
    expect(up.code, up.stderr).toBe(0);
    return JSON.parse(up.stdout) as Ready;
  };
  const status = async () =>
    JSON.parse((await carillon(['status', '--data', platform.folder, '--json'])).stdout) as {
      running: boolean;
      ready: boolean;
      processes: { name: string; pid: number; running: boolean; memoryKb: number }[];
    };

  it('has no demo company, no simulated device and one administrator with --devices 0 [OPS-01/empty]', async () => {
    expect((await platform.call(countDevices, { query: {} })).total).toBe(0);
    expect((await platform.call(listOrganizationNames, {})).map((o) => o.name)).toEqual(['Head office']);
    expect((await platform.call(bladeUserInfo, {})).username).toBe('admin');
    expect(existsSync(join(platform.folder, 'simulator-devices.jsonl'))).toBe(false);
    expect((await status()).processes.map((p) => p.name)).toEqual(['supervisor', 'postgres', 'standalone']);
    await expect(
      platform.call(token, {
        query: {},
        body: { grant_type: 'captcha', username: 'viewer', password: '0'.repeat(32) },
      }),
    ).rejects.toThrow();
  });

  it('lets only the owner read its secrets', () => {
    for (const file of ['secrets.json', 'run/state.json', 'logs/standalone.log'])
      expect((statSync(join(platform.folder, file)).mode & 0o077).toString(8), file).toBe('0');
  });

  it('a second up prints the same and starts nothing', async () => {
    const before = (await status()).processes;
    expect(await again()).toEqual(platform.ready);
    expect((await status()).processes.map((p) => p.pid)).toEqual(before.map((p) => p.pid));
  });

  it('status and logs show what runs and what it logged', async () => {
    const found = await status();
    expect([found.running, found.ready]).toEqual([true, true]);
    for (const p of found.processes) expect([p.name, p.running, p.memoryKb > 5_000]).toEqual([p.name, true, true]);
    expect((await carillon(['status', '--data', platform.folder])).stdout).toMatch(
      /^Carillon is ready at http:.*\n\n +process +state +memory +age +lag *\n( {2}\w+ +\d+ {2}running +\d+ MB +\d+ s +\d* *\n){3}\n {2}[\d.]+ GB of [\d.]+ GB are free on the disk of /,
    );
    const gateway = (await carillon(['logs', 'mqtt-gateway', '--data', platform.folder])).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { service: string });
    expect(new Set(gateway.map((line) => line.service))).toEqual(new Set(['mqtt-gateway']));
    const secret = JSON.parse(readFileSync(join(platform.folder, 'secrets.json'), 'utf8')) as {
      admin: { password: string };
      tokenKey: string;
      postgres: string;
    };
    const all = (await carillon(['logs', '-n', '100000', '--data', platform.folder])).stdout;
    for (const one of [secret.admin.password, secret.tokenKey, secret.postgres]) expect(all.includes(one)).toBe(false);
    const unknown = await carillon(['logs', 'nothing', '--data', platform.folder]);
    expect([unknown.code, unknown.stderr]).toEqual([1, 'carillon: No log has lines of "nothing".\n']);
  });

  it.for([
    ['its supervisor', ['supervisor']],
    ['everything at once', ['supervisor', 'standalone', 'postgres']],
  ] as const)(
    'up just works after kill -9 of %s, and nothing that was stored is gone [OPS-01/killed]',
    async ([, names]) => {
      const mac = names.length === 1 ? '0c383e000001' : '0c383e000002';
      await platform.call(addDevice, {
        body: { ...(await devicePlace(platform.call)), mac, name: `Phone ${mac}`, model: 'X4U', sn: mac },
      });
      for (const name of names) platform.kill(name);
      expect(await again()).toEqual(platform.ready);
      expect((await platform.call(countDevices, { query: {} })).total).toBe(names.length === 1 ? 1 : 2);
      expect((await status()).ready).toBe(true);
      // One process of each, and none of the earlier start.
      expect(processesOf(platform.folder).filter((p) => p.includes('standalone/main.js'))).toHaveLength(1);
    },
  );

  it(
    'an instance of another user runs beside it, and down leaves nothing behind [OPS-01/user]',
    { tags: 'slow' },
    async () => {
      const folder = folderOf('beside');
      // The other user creates the folder.
      rmSync(folder, { recursive: true });
      const [port, mqttPort, phonePort] = await freePorts(3);
      const up = await carillon(
        [
          'up',
          '--data',
          folder,
          '--port',
          String(port),
          '--mqtt-port',
          String(mqttPort),
          '--phone-port',
          String(phonePort),
          '--devices',
          '5',
          '--detach',
          '--json',
        ],
        { through: asNobody, root: checkout },
      );
      expect(up.code, up.stderr).toBe(0);
      const beside = JSON.parse(up.stdout) as Ready;
      expect(beside.admin.password).not.toBe(platform.ready.admin.password);
      await logIn(beside);
      expect((await status()).ready).toBe(true);
      expect(statSync(join(folder, 'postgres')).uid).toBe(asRoot ? 65_534 : process.getuid?.());

      const down = await carillon(['down', '--data', folder], { through: asNobody, root: checkout });
      expect([down.code, down.stdout]).toEqual([0, 'Carillon has stopped.\n']);
      expect(processesOf(folder)).toEqual([]);
      const sockets = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isSocket());
      expect(sockets.map((s) => s.name)).toEqual([]);
      const free = createServer();
      await new Promise<void>((done, reject) => {
        free.once('error', reject).listen(port, '127.0.0.1', () => free.close(() => done()));
      });
      expect((await carillon(['down', '--data', folder], { through: asNobody, root: checkout })).stdout).toBe(
        'Nothing was running.\n',
      );
      expect((await status()).ready).toBe(true);
    },
  );
});
