import { closeSync, existsSync, openSync, readSync, statSync, watch } from 'node:fs';

type Line = Record<string, unknown>;

/** Follows a JSON log from its current end, line by line. */
export class LogWatch {
  readonly lines: Line[] = [];
  private readonly file: string;
  private at: number;
  private rest = '';
  private readonly waiting = new Set<() => void>();
  private readonly watcher;

  constructor(file: string, from: 'start' | 'end' = 'end') {
    this.file = file;
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    this.at = from === 'start' ? 0 : statSync(file).size;
    this.watcher = watch(file, () => this.read());
    this.read();
  }

  private read(): void {
    const size = statSync(this.file).size;
    if (size <= this.at) return;
    const buffer = Buffer.alloc(size - this.at);
    const handle = openSync(this.file, 'r');
    this.at += readSync(handle, buffer, 0, buffer.length, this.at);
    closeSync(handle);
    const parts = (this.rest + buffer.toString()).split('\n');
    this.rest = parts.pop()!;
    for (const part of parts)
      try {
        this.lines.push(JSON.parse(part) as Line);
      } catch {
        /* not every line is JSON */
      }
    for (const look of [...this.waiting]) look();
  }

  /** Returns the first line that matches. Rejects when none comes in time. */
  line(fits: (line: Line) => boolean, withinMs = 60_000): Promise<Line> {
    return new Promise((done, reject) => {
      const look = (): void => {
        const found = this.lines.find(fits);
        if (!found) return;
        this.waiting.delete(look);
        clearTimeout(late);
        done(found);
      };
      const late = setTimeout(() => {
        this.waiting.delete(look);
        reject(
          new Error(
            `no such line in ${this.file} within ${withinMs} ms; the last ones: ${JSON.stringify(this.lines.slice(-5))}`,
          ),
        );
      }, withinMs);
      this.waiting.add(look);
      look();
    });
  }

  close(): void {
    this.watcher.close();
  }
}
