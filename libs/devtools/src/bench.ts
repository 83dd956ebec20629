import { parseArgs } from 'node:util';
import { withMachine } from './lock.ts';

export interface Spread {
  min: number;
  median: number;
  max: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return { min: sorted[0]!, median: percentile(sorted, 0.5), max: sorted.at(-1)! };
}

export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))]!;
}

const show = (n: number): string =>
  Math.abs(n) >= 100 ? n.toFixed(0) : Math.abs(n) >= 10 ? n.toFixed(1) : n.toFixed(2);

export interface Goal {
  name: string;
  unit: string;
  value: number;
  atMost?: number;
  atLeast?: number;
  beside?: { name: string; value: number };
}

/** Prints a figure with its limit and the figure it is compared with. Sets exit code 1 when the limit is missed. */
export function report(goal: Goal, spread?: Spread): void {
  const held =
    (goal.atMost === undefined || goal.value <= goal.atMost) &&
    (goal.atLeast === undefined || goal.value >= goal.atLeast);
  const limit =
    goal.atMost !== undefined
      ? `, at most ${show(goal.atMost)}`
      : goal.atLeast !== undefined
        ? `, at least ${show(goal.atLeast)}`
        : '';
  const ratio = goal.beside
    ? `; ${goal.beside.name} ${show(goal.beside.value)} ${goal.unit}, ratio ${show(goal.value / goal.beside.value)}`
    : '';
  process.stdout.write(
    `${held ? 'ok  ' : 'MISS'} ${goal.name}: ${show(goal.value)} ${goal.unit}${spread ? ` (${show(spread.min)} to ${show(spread.max)})` : ''}${limit}${ratio}\n`,
  );
  if (!held) process.exitCode = 1;
}

/** Returns the requested number of alternating runs; 5 by default. */
export function runs(): number {
  const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } }, strict: false });
  return Math.max(1, Number(values.runs));
}

/** Runs A and B alternately, so that a drift of the machine affects both. */
export async function alternate(
  count: number,
  a: () => Promise<number>,
  b: () => Promise<number>,
): Promise<{ a: number[]; b: number[] }> {
  const result: { a: number[]; b: number[] } = { a: [], b: [] };
  for (let i = 0; i < count; i++) {
    result.a.push(await a());
    result.b.push(await b());
  }
  return result;
}

export async function bench(name: string, fn: () => Promise<void>): Promise<void> {
  await withMachine(`bench ${name}`, async () => {
    process.stdout.write(`\n== ${name}\n`);
    await fn();
  });
}
