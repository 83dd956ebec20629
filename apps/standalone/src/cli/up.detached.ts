import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { projectRoot, readState, type RunState } from './data-folder.ts';
import { argumentsOf } from './options.ts';
import { Trouble } from './trouble.ts';
import type { UpPrinter } from './up.print.ts';

/** Starts the same command as a background process. Returns its state once it is ready. */
export async function startDetached(command: Command, folder: string, printer: UpPrinter): Promise<RunState> {
  const log = join(folder, 'logs', 'up.log');
  const out = openSync(log, 'w', 0o600);
  // Only this process prints JSON; the log of the other one has the steps.
  const args = argumentsOf(command, { data: folder, detach: undefined, json: undefined });
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, command.name(), ...args], {
    detached: true,
    // Standard output shows the password, which must not be logged.
    stdio: ['ignore', 'ignore', out],
    cwd: projectRoot,
  });
  closeSync(out);
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
  });
  child.unref();
  for (let shown = 0; ;) {
    const code = await Promise.race([ended, sleep(100, undefined)]);
    const text = readFileSync(log, 'utf8');
    const whole = text.lastIndexOf('\n') + 1;
    printer.repeat(text.slice(shown, whole));
    shown = whole;
    const state = readState(folder);
    if (state?.ready && (state.supervisor === child.pid || code === 0)) return state;
    if (code !== undefined) throw new Trouble(lastTrouble(text) ?? `it ended with code ${code}; see ${log}`);
  }
}

/** Returns the last trouble that `main.ts` wrote to the log. */
function lastTrouble(log: string): string | undefined {
  const prefix = 'carillon: ';
  const line = log.split('\n').findLast((l) => l.startsWith(prefix));
  return line?.slice(prefix.length);
}
