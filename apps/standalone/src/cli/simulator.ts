import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { Trouble } from './trouble.ts';

/** Maximum number of devices per process: a process may open 20,000 files on a usual machine. */
const devicesOfProcess = 15_000;

/** Returns whether a process of the instance is a simulator and not part of the product. */
export const isSimulator = (name: string): boolean => name.startsWith('simulator');

/** Makers of the demo company's phones over HTTP, and the file in the data folder that has these phones. */
export const demoPhoneMakers = ['Fanvil', 'Yealink', 'Grandstream'] as const;
export const demoPhonesFile = 'simulator-phones.jsonl';

export interface SimulatorPart {
  name: string;
  args: string[];
}

/**
 * Returns the processes that simulate `devices` devices. Each device needs an open file, and a port of its process's
 * source address. The first process has the names of a single one.
 */
export function simulatorParts(
  folder: string,
  options: { devices: number; host: string; port: string; behaviour?: string | undefined },
): SimulatorPart[] {
  return Array.from({ length: Math.max(1, Math.ceil(options.devices / devicesOfProcess)) }, (_, i) => {
    const name = i === 0 ? 'simulator' : `simulator-${i + 1}`;
    return {
      name,
      args: [
        '--file',
        join(folder, 'simulator-devices.jsonl'),
        '--skip',
        String(i * devicesOfProcess),
        '--devices',
        String(Math.min(options.devices, (i + 1) * devicesOfProcess)),
        '--state',
        join(folder, name),
        '--host',
        options.host,
        '--port',
        options.port,
        '--control',
        join(folder, 'run', `${name}.sock`),
        ...(i > 0 && options.host === '127.0.0.1' ? ['--local-address', `127.0.0.${i + 1}`] : []),
        ...(options.behaviour ? ['--behaviour', options.behaviour] : []),
      ],
    };
  });
}

export interface PhoneOptions {
  /** Makers, separated by commas. */
  kind: string;
  devices: number;
  /** Address of the port for phones. */
  server: string;
  /** File with the certificate of that port, when it speaks HTTPS. */
  certificate?: string | undefined;
  sipPort: number;
  behaviour?: string | undefined;
  /** The demo company's phones; without it they are phones that no company has yet. */
  file?: string | undefined;
}

// Each phone has a loopback address of its own, from which it reaches only another one.
const onLoopback = (server: string): string => server.replace('//0.0.0.0:', '//127.0.0.1:');

/** Returns why simulated phones on this machine cannot use the port for phones; undefined when they can. */
export function whyUnreachable(server: string, certificate: string | undefined): string | undefined {
  const { hostname, protocol } = new URL(onLoopback(server));
  if (!/^(127\.|localhost$)/.test(hostname)) return `${server} is no loopback address`;
  if (protocol === 'http:') return undefined;
  if (certificate === undefined) return `the certificate of ${server} is unknown`;
  const shown = certificateIn(certificate);
  if (isIP(hostname) ? shown.checkIP(hostname) : shown.checkHost(hostname)) return undefined;
  return `the certificate in ${certificate} does not name ${hostname}`;
}

function certificateIn(file: string): X509Certificate {
  try {
    return new X509Certificate(readFileSync(file));
  } catch (error) {
    throw new Trouble(`The certificate in ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Returns the process that simulates phones over HTTP. */
export function phoneSimulator(folder: string, options: PhoneOptions): SimulatorPart {
  const { kind, devices, server, certificate, sipPort, behaviour, file } = options;
  const name = file === undefined ? 'simulator-sold' : 'simulator-phones';
  return {
    name,
    args: [
      ...['--kind', kind, '--devices', String(devices), '--sip-port', String(sipPort)],
      ...['--server', onLoopback(server)],
      ...(certificate === undefined ? [] : ['--ca', certificate]),
      ...['--state', join(folder, name), '--control', join(folder, 'run', `${name}.sock`)],
      ...(file === undefined ? [] : ['--file', file]),
      ...(behaviour === undefined ? [] : ['--behaviour', behaviour]),
    ],
  };
}
