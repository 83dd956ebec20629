import { AppendLog } from './append-log.ts';
import { deviceLimits, isFinal, type Answer, type RestartReason } from './protocol.ts';

/** What a device remembers of one command. */
export interface Remembered {
  id: string;
  action: string;
  /** Set for an unfinished command: what is needed to run it after a crash, if the device knows that it did not act. */
  args?: Record<string, unknown>;
  expiresAt?: number;
  trace?: string;
  /** The final answer; absent while the command is unfinished. */
  answer?: Answer;
  /** The platform acknowledged the final answer. */
  told?: boolean;
  /** The command restarted the device, and the hello that reports it is not acknowledged yet. */
  boot?: RestartReason;
}

/**
 * The memory that device-link.md requires: the last 64 commands and their results, across restarts. `write` resolves
 * when the record survives a crash of the device, and replaces a record of the same id.
 */
export interface CommandStore {
  recall(id: string): Remembered | undefined | Promise<Remembered | undefined>;
  write(record: Remembered): Promise<void>;
  /** Returns all records, oldest first. */
  all(): Iterable<Remembered> | Promise<Iterable<Remembered>>;
}

interface Entry {
  mac: string;
  record: Remembered;
}

/**
 * Command memory in one file for any number of devices. A line is one record, `{ mac, ...record }`; other lines belong
 * to another writer of the same log and are passed to `foreign`.
 */
export class CommandLog {
  private readonly devices = new Map<string, Map<string, Remembered>>();
  private log!: AppendLog;
  private readonly foreign: ForeignLines | undefined;
  private records = 0;

  private constructor(foreign: ForeignLines | undefined) {
    this.foreign = foreign;
  }

  /** Opens the log and creates a missing file. `sync` as in AppendLog: on for a device, off for a simulated fleet. */
  static async open(file: string, options: { sync?: boolean; foreign?: ForeignLines } = {}): Promise<CommandLog> {
    const commands = new CommandLog(options.foreign);
    commands.log = await AppendLog.open(file, { sync: options.sync ?? true, load: (line) => commands.load(line) });
    await commands.compact(1);
    return commands;
  }

  forDevice(mac: string): CommandStore {
    return {
      recall: (id) => this.devices.get(mac)?.get(id),
      all: () => [...(this.devices.get(mac)?.values() ?? [])],
      write: async (record) => {
        this.keep({ mac, record });
        await this.log.append(JSON.stringify({ mac, ...record }));
        await this.compact(4);
      },
    };
  }

  /** Appends one line of the owner of `foreign`; in the same tick as a `write` both are stored or neither. */
  append(line: string): Promise<void> {
    return this.log.append(line);
  }

  close(): Promise<void> {
    return this.log.close();
  }

  private load(line: string): void {
    let entry: { mac?: unknown; id?: unknown; action?: unknown };
    try {
      entry = JSON.parse(line) as typeof entry;
    } catch {
      return;
    }
    if (typeof entry.mac === 'string' && typeof entry.id === 'string' && typeof entry.action === 'string') {
      const { mac, ...record } = entry;
      this.keep({ mac, record: record as Remembered });
    } else this.foreign?.load(line);
  }

  private keep({ mac, record }: Entry): void {
    let records = this.devices.get(mac);
    if (!records) this.devices.set(mac, (records = new Map()));
    if (!records.has(record.id)) this.records++;
    records.set(record.id, record);
    if (records.size <= deviceLimits.rememberedCommands) return;
    // Forget the oldest finished one; a forgotten running command would run twice.
    for (const [id, old] of records) {
      if (!old.answer || !isFinal(old.answer)) continue;
      records.delete(id);
      this.records--;
      return;
    }
  }

  /** Rewrites the file once it has `factor` times more lines than needed. */
  private async compact(factor: number): Promise<void> {
    const live = this.records + (this.foreign?.count() ?? 0);
    if (this.log.lines <= 1_000 + live * factor || this.compacting) return;
    this.compacting = true;
    try {
      await this.log.rewrite(() => this.lines());
    } finally {
      this.compacting = false;
    }
  }

  private compacting = false;

  private *lines(): Iterable<string> {
    for (const [mac, records] of this.devices)
      for (const record of records.values()) yield JSON.stringify({ mac, ...record });
    yield* this.foreign?.lines() ?? [];
  }
}

/** Lines of another writer in a CommandLog, for example counters of a simulator. */
export interface ForeignLines {
  load(line: string): void;
  lines(): Iterable<string>;
  /** Number of lines in `lines`. */
  count(): number;
}
