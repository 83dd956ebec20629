import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { alive, readState } from './data-folder.ts';

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Ends a process with `signal`, and with SIGKILL after the time. Returns whether it was running. */
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
 * Ends everything that a killed supervisor of this folder left running, except PostgreSQL. Each process has the folder
 * among its arguments.
 */
export async function endLeftovers(folder: string): Promise<number> {
  const { processes = {}, servers = {} } = readState(folder) ?? {};
  const ended = await Promise.all(Object.values(processes).map((pid) => end(pid, folder, 'SIGTERM', 10_000)));
  // The servers end after the processes that use them.
  ended.push(...(await Promise.all(Object.values(servers).map(({ pid, mark }) => end(pid, mark, 'SIGTERM', 10_000)))));
  return ended.filter(Boolean).length;
}

/**
 * Prepares the start of a new PostgreSQL after the old one was killed. Sessions outlive the server for a while, and its
 * lock file may name a zombie or a pid that another process has now; both would stop the new server.
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
  // Remove the lock file only when no process can still write to the database.
  for (const until = Date.now() + 10_000; orphans.some((pid) => worksIn(pid, database));) {
    if (Date.now() > until) return;
    await wait(10);
  }
  rmSync(join(database, 'postmaster.pid'), { force: true });
}

/**
 * Returns whether the process works in the database folder, as PostgreSQL's do. A dead process has no working folder.
 */
function worksIn(pid: number, database: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(database);
  } catch {
    return false;
  }
}

/** Returns the pid from PostgreSQL's own lock file; 0 when it does not run. */
export function postgresOf(folder: string): number {
  try {
    const pid = Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    return alive(pid, join(folder, 'postgres')) ? pid : 0;
  } catch {
    return 0;
  }
}
