import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { behaviours, parseMix, type Mix } from './behaviour.ts';
import type { Credential } from './fleet.ts';

export const usage = `Usage: simulator --file devices.json --state DIR [options]

  --file FILE          the devices, a line of JSON each: {"mac","secret","model","sn","name"}; mode 600
  --devices N          only the first N of them
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
  connectPerSecond: number;
  keepAliveSeconds: number;
  backOff: { firstMs: number; mostMs: number };
  control: { port: number } | { socket: string } | null;
  json: boolean;
  statusEveryMs: number;
}

/** Returns the options; null means that the help text was requested. Throws with a sentence for the user. */
export function readOptions(args: string[]): Options | null {
  const { values } = parseArgs({
    args,
    strict: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      file: { type: 'string' },
      devices: { type: 'string' },
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
    },
  });
  if (values.help) return null;
  if (!values.file || !values.state) throw new Error('--file and --state are needed; --help tells more.');
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
  const devices = readDevices(values.file);
  const port = number('port', 1, 65_535);
  const count = values.devices === undefined ? devices.length : number('devices');
  if (count > devices.length) throw new Error(`${values.file} holds ${devices.length} devices, fewer than ${count}.`);
  return {
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

function readDevices(file: string): Credential[] {
  if ((statSync(file).mode & 0o077) !== 0)
    throw new Error(`${file} holds secrets and can be read by others: chmod 600 ${file}`);
  const macs = new Set<string>();
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return [];
      // The line itself is not shown, because it contains a secret.
      const at = `line ${index + 1} of ${file}`;
      let value: Credential;
      try {
        value = JSON.parse(line) as Credential;
      } catch {
        throw new Error(`${at} is not JSON.`);
      }
      if (typeof value?.mac !== 'string' || !/^[0-9a-f]{12}$/.test(value.mac) || typeof value.secret !== 'string')
        throw new Error(`${at} has no mac of 12 lower-case hex digits, or no secret.`);
      if (macs.has(value.mac)) throw new Error(`${at} names ${value.mac} a second time.`);
      macs.add(value.mac);
      return [value];
    });
}
