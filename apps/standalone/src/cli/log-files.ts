import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

/** Maximum size of a log and number of older files: `task.log`, `task.log.1` … `task.log.4`. */
export const logLimits = { bytes: 10 * 1024 * 1024, kept: 4 };

/**
 * Rotates logs that are too long. Processes keep their file open for appending, so the log is copied and truncated, not
 * renamed, and no process (such as PostgreSQL) has to reopen it. A line written between the two steps is lost.
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
      // On a full disk the old lines are dropped, so that new ones can be written.
      rmSync(`${file}.1`, { force: true });
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
    truncateSync(file);
  }
}

/** Returns a log and its older files, oldest first. */
export function withPredecessors(file: string): string[] {
  return [
    ...Array.from({ length: logLimits.kept }, (_, i) => `${file}.${logLimits.kept - i}`).filter((f) => existsSync(f)),
    file,
  ];
}
