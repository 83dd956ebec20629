import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { alive, readState } from './data-folder.ts';

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Asks a process to end, waits, and ends it. Returns whether it was there. */
export async function end(
  pid: number | null | undefined,
  mark: string,
  signal: NodeJS.Signals,
  withinMs: number,
): Promise<boolean> {
  if (!pid || !alive(pid, mark)) return false;
  const send = (s: NodeJS.Signals): void => {
    try {
      process.kill(pid, s);
    } catch {
      /* it has ended by itself */
    }
  };
  send(signal);
  for (const until = Date.now() + withinMs; alive(pid, mark) && Date.now() < until;) await wait(20);
  if (alive(pid, mark)) send('SIGKILL');
  while (alive(pid, mark)) await wait(20);
  return true;
}

/**
 * Ends what a killed supervisor of this folder left running, but for PostgreSQL. The folder is among each one's
 * arguments.
 */
export async function endLeftovers(folder: string): Promise<number> {
  const { processes = {}, servers = {} } = readState(folder) ?? {};
  const ended = await Promise.all(Object.values(processes).map((pid) => end(pid, folder, 'SIGTERM', 10_000)));
  // What they use ends after them.
  ended.push(...(await Promise.all(Object.values(servers).map(({ pid, mark }) => end(pid, mark, 'SIGTERM', 10_000)))));
  return ended.filter(Boolean).length;
}

/**
 * Makes room for a new PostgreSQL where one was killed: its sessions outlive it for a while, and its lock file names a
 * process that nobody may have collected yet, or whose number went to somebody else. Both would stop the new one.
 */
export async function clearDeadPostgres(folder: string): Promise<void> {
  const database = join(folder, 'postgres');
  if (postgresOf(folder) !== 0 || process.platform !== 'linux') return;
  const orphans = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => worksIn(pid, database));
  for (const pid of orphans)
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      /* it has ended by itself */
    }
  // The file goes only when nobody is left who could write to the database.
  for (const until = Date.now() + 10_000; orphans.some((pid) => worksIn(pid, database));) {
    if (Date.now() > until) return;
    await wait(10);
  }
  rmSync(join(database, 'postmaster.pid'), { force: true });
}

/** PostgreSQL's processes have their data folder as their working folder; a process that is dead has none. */
function worksIn(pid: number, database: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(database);
  } catch {
    return false;
  }
}

/** Process id of the folder's PostgreSQL by its own file; 0 when it does not run. */
export function postgresOf(folder: string): number {
  try {
    const pid = Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    return alive(pid, join(folder, 'postgres')) ? pid : 0;
  } catch {
    return 0;
  }
}
