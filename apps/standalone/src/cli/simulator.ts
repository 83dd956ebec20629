import { join } from 'node:path';

/** More of them are run by several processes: one may open 20,000 files on a usual machine. */
const devicesOfProcess = 15_000;

/** Whether a process of the instance is one of these, and none of the product. */
export const isSimulator = (name: string): boolean => name.startsWith('simulator');

export interface SimulatorPart {
  name: string;
  args: string[];
}

/**
 * The processes of so many devices. Each opens a file, and each source address a port, for every device; the first has
 * the names of one alone.
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
