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

/** Layout of the data folder; raised when an older program could not read it. */
const dataVersion = 1;

/** What an instance is started with, kept so that `status`, `down` and a second `up` find it. */
export interface RunState {
  supervisor: number;
  url: string;
  mqtt: string;
  postgres: { pid: number | null; socket: string };
  processes: Record<string, number>;
  /** Kafka and Redis of a cluster, with what their command lines say. */
  servers: Record<string, { pid: number; mark: string }>;
  /** With Kafka: where it answers. */
  brokers?: string;
  startedAt: string;
  ready: boolean;
}

/** Keys and passwords of an installation, made at its first start. Mode 600. */
export interface Secrets {
  version: number;
  postgres: string;
  databases: Record<string, { app: string; owner: string }>;
  contextKey: string;
  tokenKey: string;
  pepper: string;
  /** Seals what mails say on their way to who sends them. */
  mailKey: string;
  /** Wraps the keys under which passwords of accounts are stored. */
  dataKey: string;
  /** Seed of the key that signs firmware; devices keep its public key. */
  signingKey: string;
  /** The one before it, when the operator has changed it: it says that the new one follows. */
  signingKeyBefore?: string;
  redis: string;
  /** Passwords of Kafka's users, by service; `admin` gives the others their rights. */
  kafka: Record<KafkaPasswordName, string>;
  client: { id: string; secret: string };
  admin: { username: string; password: string };
  viewerPassword: string;
  companyId: string;
  orgId: string;
}

/** Whether another user may pass through every folder above: PostgreSQL never runs as root. */
function reachable(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if (existsSync(at) && (statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/** The folder that was asked for, or beside the program; as root in a private place, `/var/lib/carillon`. */
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

/** Whether there is an installation in it, or was one begun. */
export const existing = (folder: string): boolean => existsSync(join(folder, 'version'));

/** Bytes that must be free: to begin, and to go on with what is there. */
const neededBytes = { fresh: 400 * 1024 * 1024, existing: 100 * 1024 * 1024 };
/** A Unix socket's path may have 107 bytes, and the longest one here is that of a service. */
const longestFolder = 107 - '/run/services/notification-20.sock'.length;

/** Makes the folder usable or says in one sentence why it cannot be. */
export function openDataFolder(folder: string): void {
  if (Buffer.byteLength(folder) > longestFolder)
    throw new Trouble(`${folder} is a path of more than ${longestFolder} characters; choose a shorter --data.`);
  const me = process.getuid?.();
  try {
    // Root's PostgreSQL is somebody else and must pass through, not look around.
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
  // Whoever owns it could have put keys and a database there that he knows.
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

/** Written beside and moved, so that a crash leaves the old or the new one whole. */
function writeWhole(file: string, value: unknown, mode: number): void {
  writeFileSync(`${file}.new`, JSON.stringify(value, null, 2), { mode });
  renameSync(`${file}.new`, file);
}

/** The first password where it was not shown, and the file that has it: nobody else may read it. */
export function keepFirstPassword(folder: string, password: string): string {
  const file = join(folder, 'first-password');
  // A file keeps the mode that it was made with.
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
/** `mqtt-gateway` is CARILLON_MQTT_GATEWAY_KAFKA_PASSWORD. */
export const kafkaPasswordKey = (name: string): string =>
  `${name.replace(/-(.)/, (_, letter: string) => letter.toUpperCase())}KafkaPassword`;
export type KafkaPasswordName = (typeof kafkaPasswordNames)[number];
const newKafkaPasswords = (): Secrets['kafka'] =>
  Object.fromEntries(kafkaPasswordNames.map((name) => [name, random(24)])) as Secrets['kafka'];

/** The secrets of a new installation. */
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
    // Long enough to be no target of guessing, and it meets the spec's rule by its fixed end.
    admin: { username: 'admin', password: `${random(12)}-Aa1` },
    viewerPassword: `${random(12)}-Aa1`,
    companyId: makeId(),
    orgId: makeId(),
  };
}

/** The installation's secrets; made and kept at the first call. */
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
    // Made by a version that sent no mail, stored no passwords of accounts, signed no firmware, had no cluster, no
    // logins of Kafka or fewer services.
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

/** Whether a process is there and is ours: its pid may have gone to another after a restart of the machine. */
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
