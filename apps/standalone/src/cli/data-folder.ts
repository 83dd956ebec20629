import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { webClientId } from '@carillon/contracts/constants';
import { services } from '@carillon/contracts/services';
import { Trouble } from './trouble.ts';

export const projectRoot = resolve(import.meta.dirname, '../../../..');

/** Layout version of the data folder. Raise it when older programs cannot read the new layout. */
const dataVersion = 1;

/** State of a running instance, stored so that `status`, `down` and a second `up` find it. */
export interface RunState {
  supervisor: number;
  url: string;
  mqtt: string;
  /** Address at which phones over HTTP load their configuration; absent when an older version started this one. */
  phones?: string;
  /** File with the certificate of the port for phones, when that speaks HTTPS. */
  phoneCertificate?: string;
  postgres: { pid: number | null; socket: string };
  processes: Record<string, number>;
  /** Kafka and Redis of a cluster; `mark` is a text of their command line. */
  servers: Record<string, { pid: number; mark: string }>;
  /** Addresses of the brokers, when the bus is Kafka. */
  brokers?: string;
  startedAt: string;
  ready: boolean;
}

/** Keys and passwords of an installation, created at its first start. Mode 600. */
export interface Secrets {
  version: number;
  postgres: string;
  databases: Record<string, { app: string; owner: string }>;
  contextKey: string;
  tokenKey: string;
  pepper: string;
  /** Encrypts the contents of mails on their way to the service that sends them. */
  mailKey: string;
  /** Wraps the keys that encrypt the passwords of SIP accounts. */
  dataKey: string;
  /** Seed of the key that signs firmware; devices keep its public key. */
  signingKey: string;
  /** The previous seed, after the operator has changed it. It signs the announcement of the new key. */
  signingKeyBefore?: string;
  redis: string;
  /** Passwords of Kafka's users by service; `admin` grants the others their permissions. */
  kafka: Record<KafkaPasswordName, string>;
  client: { id: string; secret: string };
  admin: { username: string; password: string };
  viewerPassword: string;
  companyId: string;
  orgId: string;
}

/** Returns whether another user may enter every folder above. PostgreSQL never runs as root. */
function reachable(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if (existsSync(at) && (statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/** Returns the given folder, or `.carillon` beside the program; `/var/lib/carillon` when only root can enter that. */
export function dataFolder(asked: string | undefined): string {
  if (asked) {
    const folder = resolve(asked);
    if (process.getuid?.() === 0 && !reachable(dirname(folder)))
      throw new Trouble(
        `${folder} lies in a folder that only root may enter, and PostgreSQL does not run as root; choose another --data.`,
      );
    return folder;
  }
  const beside = join(projectRoot, '.carillon');
  return process.getuid?.() === 0 && !reachable(projectRoot) ? '/var/lib/carillon' : beside;
}

export { reachable };

/** Returns whether the folder holds an installation, even an unfinished one. */
export const existing = (folder: string): boolean => existsSync(join(folder, 'version'));

/** Free bytes that a new and an existing installation need. */
const neededBytes = { fresh: 400 * 1024 * 1024, existing: 100 * 1024 * 1024 };
/** Linux limits the path of a Unix socket to 107 bytes. The longest one here belongs to a service. */
const longestFolder = 107 - '/run/services/notification-20.sock'.length;

/** Creates the folder and checks it. Throws `Trouble` with one sentence when it cannot be used. */
export function openDataFolder(folder: string): void {
  if (Buffer.byteLength(folder) > longestFolder)
    throw new Trouble(`${folder} is a path of more than ${longestFolder} characters; choose a shorter --data.`);
  const me = process.getuid?.();
  try {
    // PostgreSQL of a root installation runs as another user: it must pass through the folder but not list it.
    mkdirSync(folder, { recursive: true, mode: me === 0 ? 0o711 : 0o700 });
    if (me === 0 && statSync(folder).uid === 0) chmodSync(folder, statSync(folder).mode | 0o011);
    for (const name of ['run', 'logs']) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOSPC') throw new Trouble(`The disk of ${folder} is full.`);
    if (code === 'ENOTDIR' || code === 'EEXIST') throw new Trouble(`${folder} is not a folder; choose another --data.`);
    throw new Trouble(`${folder} cannot be written to (${code}); choose another --data or give this user the right.`);
  }
  // The owner of the folder could have planted keys and a database there.
  const { uid } = statSync(folder);
  if (me !== undefined && me !== 0 && uid !== me && uid !== 0)
    throw new Trouble(`${folder} belongs to another user; choose another --data.`);
  const disk = statfsSync(folder);
  const needed = existing(folder) ? neededBytes.existing : neededBytes.fresh;
  const file = join(folder, 'version');
  const found = existsSync(file) ? Number(readFileSync(file, 'utf8').trim() || Number.NaN) : undefined;
  if (found !== undefined && found !== dataVersion)
    throw new Trouble(
      `${folder} was written by a version with data layout ${found}, this one reads ${dataVersion}; start that version or choose another --data.`,
    );
  if (disk.bavail * disk.bsize < needed)
    throw new Trouble(`The disk of ${folder} has less than ${needed / 1024 / 1024} MB free.`);
  if (found === undefined) writeFileSync(file, `${dataVersion}\n`);
}

/** Writes a file atomically: a crash leaves either the old or the new content. */
function writeWhole(file: string, value: unknown, mode: number): void {
  writeFileSync(`${file}.new`, JSON.stringify(value, null, 2), { mode });
  renameSync(`${file}.new`, file);
}

/** Writes the first password to a file that only its owner can read, when it was not shown. Returns the path. */
export function keepFirstPassword(folder: string, password: string): string {
  const file = join(folder, 'first-password');
  // An existing file would keep its mode.
  rmSync(file, { force: true });
  writeFileSync(file, `${password}\n`, { mode: 0o600, flag: 'wx' });
  return file;
}

export function readState(folder: string): RunState | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'run', 'state.json'), 'utf8')) as RunState;
  } catch {
    return undefined;
  }
}

export function writeState(folder: string, state: RunState): void {
  writeWhole(join(folder, 'run', 'state.json'), state, 0o600);
}

export function forgetState(folder: string): void {
  rmSync(join(folder, 'run', 'state.json'), { force: true });
}

const random = (bytes: number): string => randomBytes(bytes).toString('base64url');

export const databaseNames = [
  'auth',
  'org',
  'device',
  'provisioning',
  'resource',
  'task',
  'notification',
  'license',
  'bus',
] as const;
export type DatabaseName = (typeof databaseNames)[number];
const newDatabases = (names: readonly string[]): Secrets['databases'] =>
  Object.fromEntries(names.map((name) => [name, { app: random(24), owner: random(24) }]));

export const kafkaPasswordNames = ['admin', ...services] as const;
/** Returns the setting's name: `mqtt-gateway` gives `mqttGatewayKafkaPassword`. */
export const kafkaPasswordKey = (name: string): string =>
  `${name.replace(/-(.)/, (_, letter: string) => letter.toUpperCase())}KafkaPassword`;
export type KafkaPasswordName = (typeof kafkaPasswordNames)[number];
const newKafkaPasswords = (): Secrets['kafka'] =>
  Object.fromEntries(kafkaPasswordNames.map((name) => [name, random(24)])) as Secrets['kafka'];

/** Creates the secrets of a new installation. */
export function newSecrets(makeId: () => string): Secrets {
  return {
    version: 1,
    postgres: random(24),
    databases: newDatabases(databaseNames),
    contextKey: random(32),
    tokenKey: random(32),
    pepper: random(32),
    mailKey: random(32),
    dataKey: random(32),
    signingKey: random(32),
    redis: random(24),
    kafka: newKafkaPasswords(),
    client: { id: webClientId, secret: random(24) },
    // Twelve random characters cannot be guessed; the fixed end satisfies the password rule of the spec.
    admin: { username: 'admin', password: `${random(12)}-Aa1` },
    viewerPassword: `${random(12)}-Aa1`,
    companyId: makeId(),
    orgId: makeId(),
  };
}

/** Returns the installation's secrets; creates them at the first call. */
export function readSecrets(folder: string, makeId: () => string): Secrets {
  const file = join(folder, 'secrets.json');
  if (existsSync(file)) {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Omit<
      Secrets,
      'mailKey' | 'dataKey' | 'signingKey' | 'redis' | 'kafka'
    > &
      Partial<Secrets>;
    const missing = databaseNames.filter((name) => kept.databases[name] === undefined);
    const logins = kafkaPasswordNames.every((name) => kept.kafka?.[name]);
    const keys = kept.mailKey && kept.dataKey && kept.signingKey && kept.redis;
    if (keys && logins && missing.length === 0) return kept as Secrets;
    // Adds the secrets that an older version did not have.
    const whole = {
      ...kept,
      mailKey: kept.mailKey ?? random(32),
      dataKey: kept.dataKey ?? random(32),
      signingKey: kept.signingKey ?? random(32),
      redis: kept.redis ?? random(24),
      kafka: { ...newKafkaPasswords(), ...kept.kafka },
      databases: { ...kept.databases, ...newDatabases(missing) },
    };
    writeWhole(file, whole, 0o600);
    return whole;
  }
  const secrets = newSecrets(makeId);
  writeWhole(file, secrets, 0o600);
  return secrets;
}

/** Returns whether the process runs and is ours. After a reboot its pid may belong to another process. */
export function alive(pid: number | null | undefined, mark: string): boolean {
  if (!pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark);
  } catch {
    return !existsSync('/proc/self');
  }
}
