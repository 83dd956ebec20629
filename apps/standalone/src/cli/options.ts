import { Option, type Command } from 'commander';
import { Trouble } from './trouble.ts';

export const dataOption = new Option('--data <folder>', 'where everything is kept').env('CARILLON_DATA');

export function wholeNumber(value: string): number {
  const n = Number(value);
  if (!Number.isInteger(n) || n < 0) throw new Trouble(`${value} is not a whole number.`);
  return n;
}

/** The port of a phone, for the service that sends to it and the simulator that listens. */
export const sipPortOption = new Option('--sip-port <port>', 'UDP port on which simulated phones take a SIP NOTIFY')
  .env('CARILLON_PHONE_SIP_PORT')
  .argParser(wholeNumber)
  .default(5060);

export interface UpOptions {
  data?: string;
  port: number;
  mqttPort: number;
  phonePort: number;
  host: string;
  devices: number;
  phones: number;
  detach?: boolean;
  json?: boolean;
  behaviour?: string;
  rebootMs?: number;
  loadKbit?: number;
  /** In MB; depends on the mode when absent. */
  neededMemory?: number;
  cluster?: boolean;
  gateways: number;
  replicas: number;
  bus: string;
}

/** Declares the options of `up`. `UpOptions` is the type of their parsed values. */
export function addUpOptions(command: Command): Command {
  return command
    .addOption(dataOption)
    .option('--port <port>', 'console and API', wholeNumber, 8080)
    .option('--mqtt-port <port>', 'devices', wholeNumber, 1883)
    .option('--phone-port <port>', 'phones that load their configuration over HTTP', wholeNumber, 8081)
    .option('--host <address>', 'address to listen on; 0.0.0.0 opens it to the network', '127.0.0.1')
    .option(
      '--devices <count>',
      'simulated devices of the demo company; 0 is an empty installation for real use',
      wholeNumber,
      200,
    )
    .option(
      '--phones <count>',
      'simulated phones over HTTP of the demo company, when it has simulated devices',
      wholeNumber,
      6,
    )
    .option('--detach', 'go on in the background')
    .option('--json', 'print one line of JSON when ready')
    .option('--behaviour <mix>', 'how the simulated devices behave, for example normal=95,slow=5')
    .option('--reboot-ms <ms>', 'how long a simulated device takes to reboot', wholeNumber)
    .option('--load-kbit <kbit/s>', 'how fast a simulated device loads a file', wholeNumber)
    .option('--needed-memory <MB>', 'do not start with less memory than this', wholeNumber)
    .option('--cluster', 'every service in processes of its own, as on many machines')
    .option('--gateways <count>', 'MQTT gateways of the cluster', wholeNumber, 2)
    .option('--replicas <count>', 'processes of each service and API gateways of the cluster', wholeNumber, 2)
    .option('--bus <name>', "what carries the cluster's events: kafka or postgres", 'kafka');
}

/**
 * Returns the arguments that repeat a command's options, with `changes` applied; a change to `undefined` omits the
 * option. The list follows from the command's declaration, so that a new option needs no change here.
 */
export function argumentsOf(command: Command, changes: Record<string, string | undefined>): string[] {
  const values: Record<string, unknown> = { ...command.opts(), ...changes };
  return command.options.flatMap((option) => {
    const value = values[option.attributeName()];
    if (value === undefined || value === false) return [];
    return value === true ? [option.long!] : [option.long!, String(value)];
  });
}
