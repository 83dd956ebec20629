import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach } from 'vitest';
import type { Bus, OutRecord } from '@carillon/messaging';
import type { ChildTask } from './bus.child.ts';
import { eventually } from './bus.journal.ts';

/** A bus driver under test. */
export interface BusDriver {
  /** URL of a module with `open(arg): Promise<Bus>`, which child processes also load. */
  module: string;
  /** Creates an empty log. Returns the argument of `open`. */
  fresh(): Promise<string>;
  open(arg: string): Promise<Bus>;
  /** Compacts and expires now, without a grace period for tombstones. */
  compact(bus: Bus): Promise<void>;
  /** Breaks every connection to the log once. */
  cut(arg: string): Promise<void>;
}

interface Child {
  process: ChildProcess;
  journal: string;
  said(what: string): Promise<void>;
  kill(): Promise<void>;
}

const childFile = join(dirname(fileURLToPath(import.meta.url)), 'bus.child.ts');
export const topic = 'suite.event.v1';
export const state = 'suite.state.v1';
export const out = (key: string, value: string | null, name = topic): OutRecord => ({
  topic: name,
  key,
  headers: { id: `${key}-${value}` },
  value,
});

/** The bus of the current test: an empty log with two topics, its other openings and its child processes. */
export class BusPlace {
  readonly driver: BusDriver;
  arg!: string;
  bus!: Bus;
  private readonly opened: Bus[] = [];
  private readonly children: ChildProcess[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), 'carillon-bus-'));
  private files = 0;

  constructor(driver: BusDriver) {
    this.driver = driver;
    beforeEach(async () => {
      this.arg = await driver.fresh();
      this.bus = await this.another();
      await this.bus.ensureTopics([
        { name: topic, partitions: 3, cleanup: 'delete', retentionMs: 3_600_000 },
        { name: state, partitions: 2, cleanup: 'compact' },
      ]);
    });
    afterEach(async () => {
      for (const child of this.children.splice(0)) child.kill('SIGKILL');
      await Promise.all(this.opened.splice(0).map((bus) => bus.close()));
    });
    afterAll(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** Opens the same log once more. */
  async another(): Promise<Bus> {
    const made = await this.driver.open(this.arg);
    this.opened.push(made);
    return made;
  }

  /** Starts a process that publishes to the log or consumes from it. */
  child(task: Omit<ChildTask, 'journal'> & { journal?: string }): Child {
    const journal = task.journal ?? join(this.folder, `journal-${++this.files}`);
    const process = fork(childFile, [this.driver.module, this.arg, JSON.stringify({ ...task, journal })], {
      execArgv: ['--conditions=carillon-source'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.children.push(process);
    const heard = new Set<unknown>();
    process.on('message', (m) => heard.add(m));
    return {
      process,
      journal,
      said: (what) => eventually(`the child says ${what}`, () => heard.has(what)),
      kill: () =>
        new Promise((resolve) => {
          process.once('exit', () => resolve());
          process.kill('SIGKILL');
        }),
    };
  }
}
