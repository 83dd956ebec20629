import { join } from 'node:path';

/** Maximum number of devices per process: a process may open 20,000 files on a usual machine. */
const devicesOfProcess = 15_000;

/** Returns whether a process of the instance is a simulator and not part of the product. */
export const isSimulator = (name: string): boolean => name.startsWith('simulator');

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
