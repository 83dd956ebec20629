import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The file with the deadlocks that PostgreSQL ended during a run of tests. `./carillon test` prints it at the end. */
export const deadlockFile = join(import.meta.dirname, '../../../reports/deadlocks.log');

/**
 * Returns the deadlocks in PostgreSQL's log, each with its detail, which names the statements that waited for each
 * other. A test rarely fails because of a deadlock: a call answers 503 and a consumer tries again.
 */
export function deadlocksOf(log: string): string[] {
  const found: string[] = [];
  let isOpen = false;
  // A line that begins with a tab belongs to the entry before it.
  for (const entry of log.split(/\n(?!\t)/)) {
    const [, level] = / (ERROR|DETAIL|HINT|CONTEXT|STATEMENT|LOG|WARNING|FATAL): /.exec(entry) ?? [];
    if (level === 'ERROR') isOpen = entry.includes('deadlock detected');
    else if (!['DETAIL', 'HINT', 'CONTEXT', 'STATEMENT'].includes(level ?? '')) isOpen = false;
    if (!isOpen || level === 'HINT') continue;
    if (level === 'ERROR') found.push(entry.trimEnd());
    else found.push(`${found.pop()!}\n${entry.trimEnd()}`);
  }
  return found;
}

/** Adds the deadlocks in PostgreSQL's log to those of this run. */
export function keepDeadlocks(log: string): void {
  const found = deadlocksOf(log);
  if (found.length === 0) return;
  mkdirSync(dirname(deadlockFile), { recursive: true });
  appendFileSync(deadlockFile, found.map((text) => `${text}\n\n`).join(''));
}
