import { fork, type ChildProcess } from 'node:child_process';
import { appendFileSync, openSync, closeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { projectRoot, writeState, type RunState } from './data-folder.ts';
import { rotateLogs } from './log-files.ts';
import { startPostgres, type RunningPostgres } from './postgres.ts';
import type { RunningServer } from './servers.ts';
import { Trouble } from './trouble.ts';

/**
 * Node.js compile cache: a cluster's fourteen processes load the same packages, and compiling takes a third of their
 * start. It is not used where this user cannot write.
 */
const compiled = join(projectRoot, 'dist', '.compiled');

/** Starting needs a CPU for one or two seconds, so that more starts at once make no process ready sooner. */
const startsAtOnce = 2 * availableParallelism();

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/**
 * Young generation of the heap in MB. V8's default of 16 MB costs 100 MB of memory for speed that a few thousand
 * devices do not need.
 */
const youngMb: Record<string, number> = { standalone: 8, simulator: 1 };
/** A cluster has many processes that each do little. */
const youngMbElse = 4;

/** Keeps PostgreSQL and the product's processes running. Restarts a process that ends unasked, with growing delays. */
export class Supervisor {
  private readonly folder: string;
  private readonly state: RunState;
  private readonly children = new Map<string, ChildProcess>();
  /** Names that end together, by stage. The stages stop in reverse order of their start. */
  private readonly stages: string[][] = [];
  private readonly servers = new Map<string, Promise<Pick<RunningServer, 'stop'>>>();
  private stopped: Promise<void> | undefined;

  constructor(folder: string, state: RunState) {
    this.folder = folder;
    this.state = state;
    setInterval(() => {
      try {
        rotateLogs(join(folder, 'logs'));
      } catch (error) {
        this.note({ error: (error as Error).message }, 'the logs could not be rotated');
      }
    }, 10_000).unref();
  }

  get stopping(): boolean {
    return this.stopped !== undefined;
  }

  /** Starts PostgreSQL and restarts it when it dies. Connections break then, and their users retry until it is back. */
  async keepPostgres(password: string): Promise<RunningPostgres> {
    return this.keep(
      'postgres',
      'PostgreSQL',
      () => startPostgres(this.folder, password),
      (running) => {
        this.state.postgres = { pid: running.pid, socket: running.socket };
      },
    );
  }

  /** Starts a server and restarts it when it dies. */
  async keepServer(name: string, title: string, start: () => Promise<RunningServer>): Promise<void> {
    await this.keep(name, title, start, ({ pid, mark }) => {
      this.state.servers[name] = { pid, mark };
    });
  }

  private async keep<S extends Pick<RunningServer, 'ended' | 'stop'>>(
    name: string,
    title: string,
    start: () => Promise<S>,
    onStart: (running: S) => void,
  ): Promise<S> {
    const starting = start();
    this.servers.set(name, starting);
    const running = await starting;
    onStart(running);
    this.save();
    void running.ended.then(async () => {
      for (let pause = 100; !this.stopping; pause = Math.min(pause * 2, 10_000)) {
        this.note({ point: 'restarting', process: name }, `${title} ended and is started again`);
        try {
          await this.keep(name, title, start, onStart);
          this.note({ point: 'restarted', process: name }, `${title} is back`);
          return;
        } catch (error) {
          this.note({ process: name, error: (error as Error).message }, `${title} could not be started`);
          await wait(pause);
        }
      }
    });
    return running;
  }

  /** Starts the processes of one stage, a few at a time, and waits until each is ready. */
  async startAll(
    parts: readonly { name: string; file: string; environment: Record<string, string> }[],
    args: readonly string[],
  ): Promise<void> {
    this.stages.push(parts.map((p) => p.name));
    const waiting = [...parts];
    const startInTurn = async (): Promise<void> => {
      for (let part = waiting.shift(); part && !this.stopping; part = waiting.shift())
        await this.run(part.name, part.file, args, part.environment, () => undefined);
    };
    await Promise.all(Array.from({ length: startsAtOnce }, startInTurn));
  }

  /** Runs a process to its end. */
  async once(
    name: string,
    file: string,
    args: readonly string[],
    environment: Record<string, string>,
    progress: (step: string) => void,
  ): Promise<void> {
    this.stages.push([name]);
    const child = this.fork(name, file, args, environment);
    let failed = '';
    child.on('message', (message: { step?: string; failed?: string }) => {
      if (message.step) progress(message.step);
      if (message.failed) failed = message.failed;
    });
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
      child.once('exit', (...how) => resolve(how));
    });
    this.children.delete(name);
    delete this.state.processes[name];
    if (code !== 0 && !this.stopping)
      throw new Trouble(
        failed
          ? `${name} failed: ${failed}`
          : `${name} ended (${signal ?? code}); see ${join(this.folder, 'logs', `${name}.log`)}`,
      );
  }

  async start(
    name: string,
    file: string,
    args: readonly string[],
    environment: Record<string, string>,
    progress?: (step: string) => void,
  ): Promise<void> {
    this.stages.push([name]);
    await this.run(name, file, args, environment, progress);
  }

  /** Resolves when the process reports ready, or at its start when it never reports. */
  private async run(
    name: string,
    file: string,
    args: readonly string[],
    environment: Record<string, string>,
    progress?: (step: string) => void,
  ): Promise<void> {
    let pause = 0;
    const again = (): void => {
      if (this.stopping) return;
      setTimeout(() => {
        if (!this.stopping) void run().catch(() => undefined);
      }, pause);
      pause = Math.min(Math.max(250, pause * 2), 10_000);
    };
    const run = async (): Promise<void> => {
      let child: ChildProcess;
      try {
        child = this.fork(name, file, args, environment);
      } catch (error) {
        // The disk is full or no process can be created. Both may pass.
        this.note({ process: name, error: (error as Error).message }, 'could not be started');
        again();
        throw error;
      }
      const since = Date.now();
      await new Promise<void>((resolve, reject) => {
        child.on('message', (message: { step?: string; ready?: boolean; failed?: string }) => {
          if (message.step) progress?.(message.step);
          if (message.ready) resolve();
          if (message.failed) reject(new Trouble(`${name} could not start: ${message.failed}`));
        });
        child.on('exit', (code, signal) => {
          reject(
            new Trouble(
              `${name} ended before it was ready (${signal ?? code}); see ${join(this.folder, 'logs', `${name}.log`)}`,
            ),
          );
          if (this.stopping) return;
          // A process that ran for a while restarts at once.
          if (Date.now() - since > 5_000) pause = 0;
          this.note(
            { point: 'restarting', process: name, code, signal, afterMs: pause },
            'a process ended and is started again',
          );
          again();
        });
        if (!progress) resolve();
      });
    };
    await run();
  }

  private fork(name: string, file: string, args: readonly string[], environment: Record<string, string>): ChildProcess {
    const log = openSync(join(this.folder, 'logs', `${name}.log`), 'a', 0o600);
    try {
      const child = fork(file, args, {
        env: {
          ...process.env,
          ...environment,
          NODE_OPTIONS: '',
          NODE_COMPILE_CACHE: name in youngMb ? undefined : compiled,
        },
        execArgv: [`--max-semi-space-size=${youngMb[name] ?? youngMbElse}`, '--enable-source-maps'],
        stdio: ['ignore', log, log, 'ipc'],
        cwd: projectRoot,
      });
      child.on('error', (error) => {
        this.note({ process: name, error: error.message }, 'a process had an error');
        // A failed spawn emits no `exit`, so emit one to retry it like a process that ended.
        if (child.pid === undefined) child.emit('exit', null, null);
      });
      this.children.set(name, child);
      if (child.pid) this.state.processes[name] = child.pid;
      this.save();
      return child;
    } finally {
      closeSync(log);
    }
  }

  private save(): void {
    // A full disk must not end what runs.
    try {
      writeState(this.folder, this.state);
    } catch (error) {
      this.note({ error: (error as Error).message }, 'the state of this instance could not be written');
    }
  }

  private note(fields: Record<string, unknown>, msg: string): void {
    try {
      appendFileSync(
        join(this.folder, 'logs', 'supervisor.log'),
        `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), service: 'supervisor', ...fields, msg })}\n`,
        { mode: 0o600 },
      );
    } catch {
      /* the disk is full; what runs goes on */
    }
  }

  /** Stops everything in reverse order of the start, PostgreSQL last. */
  stop(): Promise<void> {
    this.stopped ??= (async () => {
      for (const names of this.stages.toReversed()) await Promise.all(names.map((name) => this.end(name)));
      for (const starting of [...this.servers.values()].toReversed())
        await (await starting.catch(() => undefined))?.stop();
    })();
    return this.stopped;
  }

  private async end(name: string): Promise<void> {
    const child = this.children.get(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
    });
    child.kill('SIGTERM');
    const tooLong = setTimeout(() => {
      this.note(
        { point: 'ended-hard', process: name },
        'a process did not end when it was told to, and was ended hard',
      );
      child.kill('SIGKILL');
    }, 27_000);
    await ended;
    clearTimeout(tooLong);
  }
}
