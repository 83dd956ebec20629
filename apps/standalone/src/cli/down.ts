import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alive, dataFolder, forgetState, readState } from './data-folder.ts';

const wait = (ms: number): Promise<void> => new Promise((r) => { setTimeout(r, ms); });

/** Ends the installation in order; also what a killed supervisor left behind. */
export async function down(options: { data?: string }): Promise<void> {
  const folder = dataFolder(options.data);
  const state = readState(folder);
  const marks: [number | null, string, NodeJS.Signals][] = state ? [
    [state.supervisor, 'main', 'SIGTERM'], ...Object.entries(state.processes).map(([name, pid]): [number, string, NodeJS.Signals] => [pid, name, 'SIGTERM']),
  ] : [];
  let ended = 0;
  for (const [pid, mark, signal] of marks) {
    if (!alive(pid, mark)) continue;
    process.kill(pid!, signal);
    ended++;
    for (let i = 0; i < 600 && alive(pid, mark); i++) await wait(50);
  }
  let postgres = 0;
  try { postgres = Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]); } catch { /* it is not running */ }
  if (alive(postgres, 'postgres')) {
    process.kill(postgres, 'SIGINT');
    ended++;
    for (let i = 0; i < 600 && alive(postgres, 'postgres'); i++) await wait(50);
  }
  forgetState(folder);
  process.stdout.write(ended > 0 ? 'Carillon has stopped.\n' : 'Nothing was running.\n');
}
