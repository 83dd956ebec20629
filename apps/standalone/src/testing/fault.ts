import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { projectRoot } from '@carillon/testing/platform';

export const victims = ['task', 'device', 'mqtt-gateway', 'gateway', 'kafka', 'redis', 'postgres'] as const;
export const points = ['created', 'expanded', 'queued', 'sent', 'acknowledged', 'stored'] as const;
export const blows = ['SIGKILL', 'SIGSTOP'] as const;
/** A paused process continues after this time (issue 4: 30 s). */
export const stoppedMs = 30_000;

export interface Fault {
  victim: (typeof victims)[number];
  blow: (typeof blows)[number];
  point: (typeof points)[number];
}

const every: Fault[] = blows.flatMap((blow) =>
  victims.flatMap((victim) => points.map((point) => ({ victim, blow, point }))),
);

/**
 * Returns eight kills and four pauses chosen by the commit's hash, so that each commit tries others; all of them for
 * `whole`.
 */
export function chosenFaults(which: 'short' | 'whole'): Fault[] {
  if (which === 'whole') return every;
  let commit = '';
  try {
    commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: projectRoot, encoding: 'utf8' }).trim();
  } catch {
    /* Without git always the same faults. */
  }
  const rank = ({ victim, blow, point }: Fault): string =>
    createHash('sha256').update(`${commit} ${victim} ${blow} ${point}`).digest('hex');
  const drawn = every.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
  // Every victim appears once before any appears twice.
  const spread = (some: Fault[], count: number): Fault[] => {
    const rounds = [...Map.groupBy(some, (f) => f.victim).values()];
    return Array.from({ length: points.length }, (_, i) => rounds.flatMap((round) => round[i] ?? []))
      .flat()
      .slice(0, count);
  };
  return [
    ...spread(
      drawn.filter((f) => f.blow === 'SIGKILL'),
      8,
    ),
    ...spread(
      drawn.filter((f) => f.blow === 'SIGSTOP'),
      4,
    ),
  ];
}
