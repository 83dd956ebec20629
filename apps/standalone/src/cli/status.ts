import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alive, dataFolder, readState } from './data-folder.ts';

/** Proportional share of the memory of a process and of all it started, kB; null where the system does not tell. */
export function memoryOf(pid: number): number | null {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch { return null; }
}

/** The process and its descendants. */
export function withChildren(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
    return [pid, ...children.flatMap(withChildren)];
  } catch { return []; }
}

export interface Status { running: boolean; ready: boolean; url?: string; mqtt?: string; since?: string; processes: { name: string; pid: number; running: boolean; memoryKb: number | null }[]; reasons?: unknown }

export async function readStatus(folder: string): Promise<Status> {
  const state = readState(folder);
  if (!state) return { running: false, ready: false, processes: [] };
  const named: [string, number | null, string][] = [['supervisor', state.supervisor, 'main'], ['postgres', state.postgres.pid, join(folder, 'postgres')], ...Object.entries(state.processes).map(([name, pid]): [string, number, string] => [name, pid, folder])];
  const processes = named.flatMap(([name, pid, mark]) => {
    if (!pid) return [];
    const running = alive(pid, mark);
    // PostgreSQL's own children are its sessions; the supervisor's are listed by themselves.
    const all = name === 'postgres' ? withChildren(pid) : [pid];
    return [{ name, pid, running, memoryKb: running ? all.reduce<number | null>((sum, p) => { const m = memoryOf(p); return sum === null || m === null ? sum : sum + m; }, 0) : null }];
  });
  const health = await fetch(`${state.url}/readyz`, { signal: AbortSignal.timeout(3_000) }).then(async (r) => ({ ready: r.ok, reasons: await r.json().catch(() => null) as unknown }), () => ({ ready: false, reasons: null }));
  return { running: processes.some((p) => p.running), ready: health.ready, url: state.url, mqtt: state.mqtt, since: state.startedAt, processes, reasons: health.reasons };
}

export async function status(options: { data?: string; json?: boolean }): Promise<void> {
  const found = await readStatus(dataFolder(options.data));
  if (options.json) {
    process.stdout.write(`${JSON.stringify(found)}\n`);
  } else if (!found.running) {
    process.stdout.write('Carillon is not running.\n');
  } else {
    process.stdout.write(`Carillon is ${found.ready ? 'ready' : 'not ready'} at ${found.url}, devices at ${found.mqtt}, since ${found.since}\n\n`);
    for (const p of found.processes) process.stdout.write(`  ${p.name.padEnd(12)} ${String(p.pid).padStart(8)}  ${p.running ? 'running' : 'ended  '}  ${p.memoryKb === null ? '' : `${(p.memoryKb / 1024).toFixed(0).padStart(5)} MB`}\n`);
    if (!found.ready && found.reasons) process.stdout.write(`\n${JSON.stringify(found.reasons, null, 2)}\n`);
  }
  if (!found.ready) process.exitCode = 1;
}
