import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { behaviours, parseMix, type Mix } from './behaviour.ts';
import type { Credential } from './fleet.ts';
import { makePhones } from './inventory.ts';
import { vendorPrefixes, type Model } from './model.ts';
import type { SoldPhone } from './phone-fleet.ts';

const vendors = Object.keys(vendorPrefixes) as Model['vendor'][];

export const usage = `Usage: simulator --file devices.json --state DIR [options]
       simulator --kind fanvil,yealink --server http://127.0.0.1:8081 --state DIR [options]

  --file FILE          the devices, a line of JSON each: {"mac","secret","model","sn","name"}; mode 600
  --devices N          only the first N of them; of phones over HTTP without a file, how many (200)
  --kind MAKERS        phones over HTTP as these makers sell them: ${vendors.map((name) => name.toLowerCase()).join(',')};
                       --file has then {"mac","model"}, or is absent for phones that the platform does not know yet
  --server URL         all that phones over HTTP know of the platform (http://127.0.0.1:8081)
  --ca FILE            certificate, PEM, of an authority that signed the server's, when that is no public one
  --sip-port N         UDP port on which each of them takes a NOTIFY, at a loopback address of its own (5060)
  --ask-seconds N      how often a phone over HTTP asks that has no configuration yet (60)
  --skip N             without the first N of those
  --local-address A    address to connect from; 127.0.0.2 and so on when one has no more ports
  --state DIR          command memory and effect counts; kept over restarts
  --host HOST          of the MQTT gateway (127.0.0.1)
  --port PORT          of the MQTT gateway (1883)
  --behaviour MIX      shares, as in normal=90,slow=5,failing=2 (normal=1)
${Object.entries(behaviours)
  .map(([name, what]) => `                         ${name.padEnd(12)} ${what}`)
  .join('\n')}
  --seed N             same seed, same devices (1)
  --reboot-ms MS       how long a restart takes (3000; 0: no time)
  --slow-ms MS         longest wait of a slow device before an answer (10000)
  --load-kbit N        how fast a device loads a file, kbit/s (0: as fast as it comes)
  --door-ms MS         how long a door stays open (5000)
  --connect-rate N     new connections per second (200; 0: all at once)
  --keep-alive S       seconds (120)
  --back-off MS,MS     longest pause before the first new try to connect, and before any (1000,60000)
  --control WHERE      a port on 127.0.0.1 or the path of a Unix socket, for GET /stats, /effects, /devices, POST /behaviour, /state, /boot
  --json               one JSON object per line instead of text
  --status-every S     seconds between two status lines (5; 0: none)
`;

export interface Options {
  url: string;
  localAddress: string | undefined;
  devices: Credential[];
  stateDir: string;
  mix: Mix;
  seed: number;
  rebootMs: number;
  slowMs: number;
  loadKbit: number;
  doorMs: number;
  /** Phones over HTTP instead of devices. */
  phones: readonly SoldPhone[] | null;
  server: string;
  ca: string | undefined;
  sipPort: number;
  retryMs: number;
  connectPerSecond: number;
  keepAliveSeconds: number;
  backOff: { firstMs: number; mostMs: number };
  control: { port: number } | { socket: string } | null;
  json: boolean;
  statusEveryMs: number;
}

/** More phones would need more files and ports than a process may have. */
const mostPhones = 15_000;
const phonesWithoutNumber = 200;

const flags = {
  help: { type: 'boolean', short: 'h' },
  file: { type: 'string' },
  devices: { type: 'string' },
  kind: { type: 'string' },
  server: { type: 'string', default: 'http://127.0.0.1:8081' },
  ca: { type: 'string' },
  'sip-port': { type: 'string', default: '5060' },
  'ask-seconds': { type: 'string', default: '60' },
  skip: { type: 'string', default: '0' },
  'local-address': { type: 'string' },
  state: { type: 'string' },
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: '1883' },
  behaviour: { type: 'string', default: 'normal=1' },
  seed: { type: 'string', default: '1' },
  'reboot-ms': { type: 'string', default: '3000' },
  'slow-ms': { type: 'string', default: '10000' },
  'load-kbit': { type: 'string', default: '0' },
  'door-ms': { type: 'string', default: '5000' },
  'connect-rate': { type: 'string', default: '200' },
  'keep-alive': { type: 'string', default: '120' },
  'back-off': { type: 'string', default: '1000,60000' },
  control: { type: 'string' },
  json: { type: 'boolean', default: false },
  'status-every': { type: 'string', default: '5' },
} as const;

/** Returns the options; null means that the help text was requested. Throws with a sentence for the user. */
export function readOptions(args: string[]): Options | null {
  const { values } = parseArgs({
    args,
    strict: true,
    options: flags,
  });
  if (values.help) return null;
  const { file, kind } = values;
  if (kind === undefined && (!file || !values.state))
    throw new Error('--file and --state are needed; --help tells more.');
  if (!values.state) throw new Error('--state is needed; --help tells more.');
  const number = (name: keyof typeof values, least = 0, most = Number.MAX_SAFE_INTEGER): number => {
    const text = String(values[name]);
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new Error(`--${name} has to be a whole number from ${least} to ${most}, not '${text}'.`);
    return value;
  };
  const backOff = /^(\d{1,9}),(\d{1,9})$/.exec(values['back-off']);
  if (!backOff)
    throw new Error(`--back-off has to be two numbers of milliseconds, as in 1000,60000, not '${values['back-off']}'.`);
  const most = values.devices === undefined ? phonesWithoutNumber : number('devices', 0, mostPhones);
  const phones = kind === undefined ? null : phonesOf(kind, file, number('seed'), most);
  const devices = phones || file === undefined ? [] : readDevices<Credential>(file, hasSecret);
  const port = number('port', 1, 65_535);
  const count = phones || values.devices === undefined ? devices.length : number('devices');
  if (count > devices.length) throw new Error(`${file} holds ${devices.length} devices, fewer than ${count}.`);
  return {
    phones,
    server: serverOf(values.server),
    ca: values.ca === undefined ? undefined : readFileSync(values.ca, 'utf8'),
    sipPort: number('sip-port', 1, 65_535),
    retryMs: number('ask-seconds', 1, 86_400) * 1_000,
    url: `mqtt://${values.host.includes(':') ? `[${values.host}]` : values.host}:${port}`,
    localAddress: values['local-address'],
    devices: devices.slice(number('skip', 0, count), count),
    stateDir: values.state,
    mix: parseMix(values.behaviour),
    seed: number('seed'),
    rebootMs: number('reboot-ms'),
    slowMs: number('slow-ms'),
    loadKbit: number('load-kbit'),
    doorMs: number('door-ms', 1, 3_600_000),
    connectPerSecond: number('connect-rate'),
    keepAliveSeconds: number('keep-alive', 60, 600),
    backOff: { firstMs: Number(backOff[1]), mostMs: Number(backOff[2]) },
    json: values.json,
    statusEveryMs: number('status-every') * 1000,
    control:
      values.control === undefined
        ? null
        : /^\d+$/.test(values.control)
          ? { port: number('control', 1, 65_535) }
          : { socket: values.control },
  };
}

/** Returns the makers by their names in lower case. */
function vendorsOf(kind: string): Model['vendor'][] {
  return kind.split(',').map((name) => {
    const vendor = vendors.find((one) => one.toLowerCase() === name.trim().toLowerCase());
    if (!vendor) throw new Error(`--kind has '${name}', which is none of ${vendors.join(', ').toLowerCase()}.`);
    return vendor;
  });
}

function phonesOf(kind: string, file: string | undefined, seed: number, count: number): SoldPhone[] {
  const chosen = vendorsOf(kind);
  return file === undefined
    ? makePhones(chosen, count, seed)
    : readDevices<SoldPhone>(file, () => true).slice(0, count);
}

function serverOf(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/')
    throw new Error(`--server has to be an address as in http://127.0.0.1:8081, not '${text}'.`);
  return url.href;
}

const hasSecret = ({ secret }: Partial<Credential>): boolean => typeof secret === 'string';

function readDevices<T extends { mac: string }>(file: string, isWhole: (device: T) => boolean): T[] {
  if ((statSync(file).mode & 0o077) !== 0)
    throw new Error(`${file} holds secrets and can be read by others: chmod 600 ${file}`);
  const macs = new Set<string>();
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return [];
      // The line itself is not shown, because it contains a secret.
      const at = `line ${index + 1} of ${file}`;
      let value: T;
      try {
        value = JSON.parse(line) as T;
      } catch {
        throw new Error(`${at} is not JSON.`);
      }
      if (typeof value?.mac !== 'string' || !/^[0-9a-f]{12}$/.test(value.mac) || !isWhole(value))
        throw new Error(`${at} has no mac of 12 lower-case hex digits, or no secret.`);
      if (macs.has(value.mac)) throw new Error(`${at} names ${value.mac} a second time.`);
      macs.add(value.mac);
      return [value];
    });
}
