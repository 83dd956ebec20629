import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ageOf, askOps, samplesOf, sumOf } from './ops.ts';
import { alive, dataFolder, readState } from './data-folder.ts';
import { isSimulator } from './simulator.ts';

/**
 * Returns the proportional set size of a process and its descendants in kB; null where the system does not report it.
 */
export function memoryOf(pid: number): number | null {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return null;
  }
}

/** Returns the process and its descendants. */
export function withChildren(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
    return [pid, ...children.flatMap(withChildren)];
  } catch {
    return [];
  }
}

export interface ProcessStatus {
  name: string;
  pid: number;
  running: boolean;
  memoryKb: number | null;
  /** In seconds. */
  age: number | null;
  /** Messages that its services have not handled yet; null when it consumes nothing or does not answer. */
  lag: number | null;
}
/** A disk of the bus or the database. Devices are not acknowledged while less than its reserve is free. */
export interface DiskStatus {
  name: string;
  freeBytes: number;
  totalBytes: number;
  reserveBytes: number;
}
export interface Status {
  running: boolean;
  ready: boolean;
  url?: string;
  mqtt?: string;
  phones?: string | undefined;
  since?: string;
  processes: ProcessStatus[];
  disks: DiskStatus[];
  reasons?: unknown;
}

/** Returns the disks that the MQTT gateways report, each once. */
function disksOf(metrics: readonly string[]): DiskStatus[] {
  const samples = metrics.flatMap((text) => samplesOf(text, 'carillon_disk_bytes'));
  return [...new Set(samples.map(({ labels }) => labels['disk']!))].map((name) => {
    const bytesOf = (kind: string): number =>
      samples.find(({ labels }) => labels['disk'] === name && labels['kind'] === kind)?.value ?? 0;
    return { name, freeBytes: bytesOf('free'), totalBytes: bytesOf('total'), reserveBytes: bytesOf('reserve') };
  });
}

export async function readStatus(folder: string): Promise<Status> {
  const state = readState(folder);
  if (!state) return { running: false, ready: false, processes: [], disks: [] };
  const servers = Object.entries(state.servers ?? {}).map(([name, { pid, mark }]): [string, number, string] => [
    name,
    pid,
    mark,
  ]);
  const named: [string, number | null, string][] = [
    ['supervisor', state.supervisor, 'main'],
    ['postgres', state.postgres.pid, join(folder, 'postgres')],
    ...servers,
    ...Object.entries(state.processes).map(([name, pid]): [string, number, string] => [name, pid, folder]),
  ];
  const texts: string[] = [];
  const processes = await Promise.all(
    named
      .filter(([, pid]) => pid)
      .map(async ([name, id, mark]): Promise<ProcessStatus> => {
        const pid = id!;
        const running = alive(pid, mark);
        // PostgreSQL's children are its sessions. The supervisor's children have entries of their own.
        const all = name === 'postgres' ? withChildren(pid) : [pid];
        const metrics =
          running && name in state.processes && !isSimulator(name)
            ? await askOps(folder, name, '/metrics', 2_000)
            : undefined;
        if (metrics) texts.push(metrics.text);
        return {
          name,
          pid,
          running,
          age: running ? ageOf(pid) : null,
          lag: metrics ? (sumOf(metrics.text, 'carillon_bus_lag') ?? null) : null,
          memoryKb: running
            ? all.reduce<number | null>((sum, p) => {
                const m = memoryOf(p);
                return sum === null || m === null ? sum : sum + m;
              }, 0)
            : null,
        };
      }),
  );
  const health = await fetch(`${state.url}/readyz`, { signal: AbortSignal.timeout(3_000) }).then(
    async (r) => ({ ready: r.ok, reasons: (await r.json().catch(() => null)) as unknown }),
    () => ({ ready: false, reasons: null }),
  );
  return {
    running: processes.some((p) => p.running),
    ready: health.ready,
    url: state.url,
    mqtt: state.mqtt,
    phones: state.phones,
    since: state.startedAt,
    processes,
    disks: disksOf(texts),
    reasons: health.reasons,
  };
}

const age = (seconds: number): string =>
  seconds < 120
    ? `${seconds} s`
    : seconds < 7_200
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3_600)} h`;

const size = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(0)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
const sentenceOf = ({ name, freeBytes, totalBytes, reserveBytes }: DiskStatus): string =>
  `${size(freeBytes)} of ${size(totalBytes)} are free on the disk of ${name}${
    freeBytes < reserveBytes ? `, less than its reserve of ${size(reserveBytes)}: devices are not acknowledged` : ''
  }.`;

export async function status(options: { data?: string; json?: boolean }): Promise<void> {
  const found = await readStatus(dataFolder(options.data));
  if (options.json) {
    process.stdout.write(`${JSON.stringify(found)}\n`);
  } else if (!found.running) {
    process.stdout.write('Carillon is not running.\n');
  } else {
    process.stdout.write(
      `Carillon is ${found.ready ? 'ready' : 'not ready'} at ${found.url}, devices at ${found.mqtt}${found.phones ? `, phones at ${found.phones}` : ''}, since ${found.since}\n\n`,
    );
    const wide = Math.max(12, ...found.processes.map((p) => p.name.length));
    process.stdout.write(
      `  ${''.padEnd(wide)} ${'process'.padStart(8)}  state     ${'memory'.padStart(8)}  ${'age'.padStart(8)}  ${'lag'.padStart(8)}\n`,
    );
    for (const p of found.processes) {
      const memory = p.memoryKb === null ? '' : `${(p.memoryKb / 1024).toFixed(0)} MB`;
      process.stdout.write(
        `  ${p.name.padEnd(wide)} ${String(p.pid).padStart(8)}  ${p.running ? 'running' : 'ended  '}   ${memory.padStart(8)}  ${(p.age === null ? '' : age(p.age)).padStart(8)}  ${(p.lag === null ? '' : String(p.lag)).padStart(8)}\n`,
      );
    }
    for (const disk of found.disks) process.stdout.write(`\n  ${sentenceOf(disk)}\n`);
    if (!found.ready && found.reasons) process.stdout.write(`\n${JSON.stringify(found.reasons, null, 2)}\n`);
  }
  if (!found.ready) process.exitCode = 1;
}
