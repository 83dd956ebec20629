import type { BusRecord } from '@carillon/messaging';

/** Polls a condition every 10 ms. The error names what did not happen. */
export async function eventually(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 15_000,
): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`did not happen within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}

export function gate(): { opened: Promise<void>; open(): void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Returns `'0', '1', …`, the values that one key must receive. */
export const sequenceOf = (length: number): string[] => Array.from({ length }, (_, n) => String(n));

/** The records that a consumer received, in order. */
export class Journal {
  readonly records: BusRecord[] = [];
  private readonly lines = new Set<string>();

  add(records: readonly BusRecord[]): void {
    for (const r of records) {
      this.records.push(r);
      this.lines.add(`${r.key} ${r.value}`);
    }
  }

  has(line: string): boolean {
    return this.lines.has(line);
  }

  distinct(): number {
    return this.lines.size;
  }

  valuesOf(key: string): (string | null)[] {
    return this.records.filter((r) => r.key === key).map((r) => r.value);
  }

  /** Returns whether a number came before its predecessor: repetitions are allowed, gaps are not. */
  skips(key: string): boolean {
    let seen = -1;
    for (const value of this.valuesOf(key)) {
      if (Number(value) > seen + 1) return true;
      seen = Math.max(seen, Number(value));
    }
    return false;
  }
}
