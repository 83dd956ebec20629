import fs from 'node:fs/promises';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

export interface AppendLogOptions {
  /** Also survive a power cut, by flushing each batch to the disk; otherwise written lines survive only SIGKILL. */
  sync?: boolean;
  /** Called with each existing line while opening. */
  load(line: string): void;
}

/**
 * An append-only file with one line per entry. Entries appended in the same tick are one write, so they exist together
 * or not at all, and thousands of devices share one file at the cost of a few writes.
 */
export class AppendLog {
  private readonly file: string;
  private readonly sync: boolean;
  private handle: fs.FileHandle | null = null;
  private pending: string[] = [];
  private batch: PromiseWithResolvers<void> | null = null;
  private current: Promise<void> | null = null;
  private snapshot: (() => Iterable<string>) | null = null;
  private draining = false;
  /** Number of lines in the file. */
  lines = 0;

  private constructor(file: string, sync: boolean) {
    this.file = file;
    this.sync = sync;
  }

  static async open(file: string, options: AppendLogOptions): Promise<AppendLog> {
    mkdirSync(path.dirname(file), { recursive: true });
    const log = new AppendLog(file, options.sync ?? false);
    if (existsSync(file)) await log.load(options.load);
    log.handle = await fs.open(file, 'a', 0o600);
    return log;
  }

  private async load(take: (line: string) => void): Promise<void> {
    const bytes = await fs.readFile(this.file);
    // An incomplete last line was being written when the process died; its append was never confirmed.
    const whole = bytes.lastIndexOf(0x0a) + 1;
    if (whole < bytes.length) await fs.truncate(this.file, whole);
    for (let start = 0; start < whole;) {
      const end = bytes.indexOf(0x0a, start);
      take(bytes.toString('utf8', start, end));
      this.lines++;
      start = end + 1;
    }
  }

  /** Appends a line; resolves when it is written. Lines of one tick are one write. */
  append(line: string): Promise<void> {
    this.pending.push(line);
    this.lines++;
    return this.wake();
  }

  /** Replaces the whole file by the lines of `snapshot`, which must contain everything appended before this call. */
  rewrite(snapshot: () => Iterable<string>): Promise<void> {
    this.snapshot = snapshot;
    return this.wake();
  }

  async close(): Promise<void> {
    while (this.draining) await (this.batch?.promise ?? this.current)?.catch(() => undefined);
    await this.handle?.close();
    this.handle = null;
  }

  private wake(): Promise<void> {
    this.batch ??= Promise.withResolvers<void>();
    const { promise } = this.batch;
    if (!this.draining) {
      this.draining = true;
      queueMicrotask(() => void this.drain());
    }
    return promise;
  }

  private async drain(): Promise<void> {
    while (this.batch) {
      const { pending, batch, snapshot } = this;
      this.pending = [];
      this.snapshot = null;
      this.batch = null;
      this.current = batch.promise;
      try {
        // The snapshot already contains the pending lines.
        if (snapshot) await this.replace([...snapshot()]);
        else await this.write(pending);
        batch.resolve();
      } catch (error) {
        batch.reject(error);
      }
    }
    this.current = null;
    this.draining = false;
  }

  private async write(lines: string[]): Promise<void> {
    if (!this.handle) throw new Error(`${this.file} is closed`);
    await this.handle.appendFile(lines.join('\n') + '\n');
    if (this.sync) await this.handle.datasync();
  }

  private async replace(lines: string[]): Promise<void> {
    const fresh = await fs.open(`${this.file}.new`, 'w', 0o600);
    if (lines.length > 0) await fresh.appendFile(lines.join('\n') + '\n');
    if (this.sync) await fresh.datasync();
    await fs.rename(`${this.file}.new`, this.file);
    await this.handle?.close();
    this.handle = fresh;
    this.lines = lines.length + this.pending.length;
  }
}
