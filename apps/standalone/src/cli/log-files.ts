import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

/** A log grows to this and has so many predecessors: `task.log`, `task.log.1` … `task.log.4`. */
export const logLimits = { bytes: 10 * 1024 * 1024, kept: 4 };

/**
 * Moves what is too long aside. The processes keep their open file, which appends: it is copied and cut, not renamed,
 * so that none of them (PostgreSQL is one) has to be told. A line written between the two is the price.
 */
export function rotateLogs(folder: string, limits = logLimits): void {
  for (const name of readdirSync(folder).filter((n) => n.endsWith('.log'))) {
    const file = join(folder, name);
    if (statSync(file).size <= limits.bytes) continue;
    rmSync(`${file}.${limits.kept}`, { force: true });
    for (let n = limits.kept - 1; n >= 1; n--)
      if (existsSync(`${file}.${n}`)) renameSync(`${file}.${n}`, `${file}.${n + 1}`);
    try {
      copyFileSync(file, `${file}.1`);
    } catch (error) {
      // A full disk keeps no old lines, but it must not keep the new ones out either.
      rmSync(`${file}.1`, { force: true });
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
    truncateSync(file);
  }
}

/** A log and its predecessors, oldest first. */
export function withPredecessors(file: string): string[] {
  return [
    ...Array.from({ length: logLimits.kept }, (_, i) => `${file}.${logLimits.kept - i}`).filter((f) => existsSync(f)),
    file,
  ];
}
