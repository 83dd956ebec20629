import { spawn } from 'node:child_process';

/** Messages from the test reporter to `./carillon test` during the run. */
export type TestMessage =
  | { kind: 'files'; files: string[] }
  | { kind: 'begin'; file: string }
  | { kind: 'test'; status: 'passed' | 'failed' | 'skipped' }
  | { kind: 'end'; file: string; failure?: string };

export interface Progress {
  /** Prints a line that stays. */
  print(text: string): void;
  message(message: TestMessage): void;
  /** Files that began and have not ended. */
  running(): string[];
  end(failed: boolean): void;
}

export interface Terminal {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

const seconds = (ms: number): string => {
  const whole = Math.max(1, Math.round(ms / 1000));
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
};

/**
 * Progress of the running parts. Rewrites the lines in place on a terminal; elsewhere prints the start, the end and
 * steps between.
 */
export class ProgressLines {
  private readonly parts = new Map<string, () => string>();
  private readonly timer: NodeJS.Timeout;
  private readonly terminal: Terminal;
  private drawn = 0;

  constructor(terminal: Terminal, everyMs = terminal.isTTY ? 500 : 30_000) {
    this.terminal = terminal;
    this.timer = setInterval(() => this.tick(), everyMs);
    this.timer.unref();
  }

  /** Begins a part. `durations`: what each file took in the last run, in ms; `lastMs`: what the whole part took. */
  begin(part: string, durations: ReadonlyMap<string, number>, lastMs?: number): Progress {
    const began = performance.now();
    const counts = { passed: 0, failed: 0, skipped: 0 };
    let files: string[] = [];
    const ended = new Set<string>();
    const weight = (some: Iterable<string>): number => {
      let sum = 0;
      for (const file of some) sum += durations.get(file) ?? 500;
      return sum;
    };
    const left = (): string => {
      const elapsed = performance.now() - began;
      const share = files.length === 0 ? undefined : weight(ended) / weight(files);
      const whole = share === undefined || share < 0.2 ? lastMs : elapsed / share;
      if (whole === undefined) return '';
      return whole > elapsed ? `, about ${seconds(whole - elapsed)} left` : ', almost done';
    };
    const line = (): string => {
      const tests = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
      return files.length === 0 ? 'runs' : `${tests}, ${ended.size} of ${files.length} files`;
    };
    this.parts.set(part, () => `== ${part}: ${line()}${left()}`);
    if (!this.terminal.isTTY) this.print(`== ${part} begins${lastMs === undefined ? '' : `${left()}`}`);
    this.draw();
    return {
      print: (text) => this.print(text),
      message: (message) => {
        if (message.kind === 'files') files = [...new Set([...files, ...message.files])];
        if (message.kind === 'test') counts[message.status]++;
        if (message.kind === 'end' && files.includes(message.file)) ended.add(message.file);
      },
      running: () => files.filter((file) => !ended.has(file)),
      end: (failed) => {
        this.parts.delete(part);
        const counted = files.length === 0 ? '' : `${line()}, `;
        this.print(`== ${part}: ${counted}${failed ? 'FAILED' : 'done'} in ${seconds(performance.now() - began)}`);
      },
    };
  }

  print(text: string): void {
    this.erase();
    this.terminal.write(text.endsWith('\n') ? text : `${text}\n`);
    this.draw();
  }

  stop(): void {
    clearInterval(this.timer);
    this.erase();
  }

  private tick(): void {
    if (this.terminal.isTTY) {
      this.erase();
      this.draw();
    } else for (const line of this.parts.values()) this.terminal.write(`${line()}\n`);
  }

  private erase(): void {
    if (this.drawn > 0) this.terminal.write(`\u001b[${this.drawn}A\u001b[0J`);
    this.drawn = 0;
  }

  private draw(): void {
    if (!this.terminal.isTTY) return;
    const width = (this.terminal.columns ?? 80) - 1;
    for (const line of this.parts.values()) this.terminal.write(`${line().slice(0, width)}\n`);
    this.drawn = this.parts.size;
  }
}

/** Keeps the end of a log and counts the lines before it, so that memory stays bounded. */
class Tail {
  private lines: string[] = [];
  private before = 0;

  push(lines: readonly string[], most = 200): void {
    const all = [...this.lines, ...lines];
    this.lines = all.slice(-most);
    this.before += all.length - this.lines.length;
  }

  toString(): string {
    return (this.before > 0 ? [`… ${this.before} lines before`, ...this.lines] : this.lines).join('\n');
  }
}

/**
 * Runs a command of a part. Shows output only for failures: the failed test file with what was written while it ran, or
 * all output of a command without failed tests. Returns the exit code, or 1 when a process that the command started
 * still holds its output `leftOverMs` after its end.
 */
export function runQuietly(
  command: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; progress: Progress; leftOverMs?: number },
): Promise<number> {
  const { progress, leftOverMs = 60_000 } = options;
  const child = spawn(command[0]!, command.slice(1), {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  // Child processes of a worker write past vitest, so their lines count for all files that run at that time.
  const running = new Map<string, Tail>();
  const all = new Tail();
  let shown = false;
  for (const stream of [child.stdout!, child.stderr!]) {
    let rest = '';
    const take = (lines: readonly string[]): void => {
      all.push(lines);
      for (const kept of running.values()) kept.push(lines);
    };
    stream
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop()!;
        take(lines);
      })
      .on('end', () => {
        if (rest) take([rest]);
      });
  }
  const failures: Promise<void>[] = [];
  /** The pipes may lag behind the message that a file has ended. */
  const finish = async (file: string, failure: string | undefined): Promise<void> => {
    if (failure !== undefined)
      await new Promise((resolve) => {
        setTimeout(resolve, 200);
      });
    const meanwhile = String(running.get(file) ?? '');
    running.delete(file);
    if (failure === undefined) return;
    shown = true;
    progress.print(`\n${failure}${meanwhile === '' ? '' : `\nWritten while it ran:\n${meanwhile}\n`}`);
  };
  child.on('message', (message: TestMessage) => {
    progress.message(message);
    if (message.kind === 'begin') running.set(message.file, new Tail());
    if (message.kind === 'end') failures.push(finish(message.file, message.failure));
  });
  return new Promise((resolve, reject) => {
    let left = false;
    child.once('error', reject).once('exit', () => {
      // A process that outlives its tests holds the pipes open, so that `close` never comes.
      setTimeout(() => {
        left = true;
        for (const stream of [child.stdout!, child.stderr!]) stream.destroy();
      }, leftOverMs).unref();
    });
    child.once('close', (code) => {
      void Promise.all(failures).then(() => {
        if (left) progress.print(`${command[0]!.split('/').at(-1)} has left a process behind that holds its output`);
        else if (code !== 0 && !shown) progress.print(String(all));
        resolve(left ? 1 : (code ?? 1));
      });
    });
  });
}
