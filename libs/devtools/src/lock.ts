import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One for the whole machine, whichever checkout asks: nothing builds or tests beside a benchmark. */
const folder = join(tmpdir(), 'carillon-machine.lock');

function holder(): number | undefined {
  try {
    return Number(readFileSync(join(folder, 'pid'), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function take(): boolean {
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'pid'), String(process.pid));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const pid = holder();
    // Who died with it left it behind.
    try {
      if (pid !== undefined) process.kill(pid, 0);
    } catch {
      rmSync(folder, { recursive: true, force: true });
    }
    return false;
  }
}

/** Waits for its turn, then runs `fn` with the machine to itself. Says once whom it waits for. */
export async function withMachine<T>(fn: () => Promise<T>): Promise<T> {
  let said = false;
  while (!take()) {
    if (!said) process.stderr.write(`waiting for process ${holder() ?? '?'}, which has the machine to itself\n`);
    said = true;
    await new Promise((r) => {
      setTimeout(r, 250);
    });
  }
  const leave = (): void => {
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', leave);
  try {
    return await fn();
  } finally {
    process.removeListener('exit', leave);
    leave();
  }
}
