import path from 'node:path';
import { CommandLog, type CommandStore } from '@carillon/device-sdk';

/** How often a device really did a command; more than once is a broken promise. */
export interface Effect {
  action: string;
  count: number;
}

/** What a device keeps; a reset takes its resources and its configuration alone. */
interface Kept {
  /** The version that it starts with; absent: the one it was sold with. */
  firmware?: string;
  /** SHA-256 of the image that it starts with; null: its bytes are not here. */
  image?: string | null;
  /** Whose signatures it takes. */
  key?: string;
  /** By kind and name. */
  resources?: readonly KeptResource[];
  /** Null: taken by a reset. Absent: what it was sold with. */
  config?: KeptConfig | null;
}

export interface KeptConfig {
  version: string;
  /** Of the file that came last. */
  sha256: string;
  values: Readonly<Record<string, string>>;
}

export interface KeptResource {
  kind: string;
  name: string;
  files: readonly { name: string; size: number; sha256: string }[];
}

/** Effects kept by command id per device; older ones are only counted. */
const keptPerDevice = 256;

/**
 * What the simulated devices remember and what they did, in one file. An effect is written in the same write as the
 * result of its command, so that a SIGKILL at any moment leaves both or none.
 */
export class Ledger {
  private readonly effects = new Map<string, Map<string, Effect>>();
  private readonly older = new Map<string, Record<string, number>>();
  private readonly kept = new Map<string, Kept>();
  private count = 0;
  private commands!: CommandLog;

  static async open(folder: string): Promise<Ledger> {
    const ledger = new Ledger();
    ledger.commands = await CommandLog.open(path.join(folder, 'devices.log'), {
      sync: false,
      foreign: {
        load: (line) => ledger.load(line),
        lines: () => ledger.lines(),
        count: () => ledger.count + ledger.kept.size,
      },
    });
    return ledger;
  }

  store(mac: string): CommandStore {
    return this.commands.of(mac);
  }

  /** To be called in the same tick as the result of the command is given. */
  did(mac: string, id: string, action: string): void {
    this.add(mac, id, action, 1);
    // A failure is told by the write of the result, which is the same one.
    this.commands.append(JSON.stringify({ mac, id, effect: action, count: 1 })).catch(() => undefined);
  }

  /** In the same tick as `did`, it is there together with it or not at all. */
  async keep(mac: string, kept: Kept): Promise<void> {
    this.kept.set(mac, { ...this.kept.get(mac), ...kept });
    await this.commands.append(JSON.stringify({ mac, ...kept }));
  }

  keptBy(mac: string): Readonly<Kept> {
    return this.kept.get(mac) ?? {};
  }

  /** The images that devices start with. */
  images(): ReadonlySet<string> {
    return new Set([...this.kept.values()].flatMap(({ image }) => image ?? []));
  }

  timesDone(mac: string, id: string): number {
    return this.effects.get(mac)?.get(id)?.count ?? 0;
  }

  /** Whether the device ever did such a command. */
  hasDone(mac: string, action: string): boolean {
    const isOlder = (this.older.get(mac)?.[action] ?? 0) > 0;
    return isOlder || [...(this.effects.get(mac)?.values() ?? [])].some((effect) => effect.action === action);
  }

  /** By command id, of one device. */
  of(mac: string): Record<string, Effect> {
    return Object.fromEntries(this.effects.get(mac) ?? []);
  }

  macs(): Iterable<string> {
    return this.effects.keys();
  }

  /** By action, of all devices, since the file was begun. */
  totals(): Record<string, number> {
    const totals: Record<string, number> = {};
    for (const older of this.older.values())
      for (const [action, count] of Object.entries(older)) totals[action] = (totals[action] ?? 0) + count;
    for (const effects of this.effects.values())
      for (const { action, count } of effects.values()) totals[action] = (totals[action] ?? 0) + count;
    return totals;
  }

  close(): Promise<void> {
    return this.commands.close();
  }

  private add(mac: string, id: string, action: string, count: number): void {
    let effects = this.effects.get(mac);
    if (!effects) this.effects.set(mac, (effects = new Map()));
    const known = effects.get(id);
    if (known) known.count += count;
    else {
      effects.set(id, { action, count });
      this.count++;
    }
    if (effects.size <= keptPerDevice) return;
    const [oldest, effect] = effects.entries().next().value!;
    effects.delete(oldest);
    this.count--;
    this.addOlder(mac, effect.action, effect.count);
  }

  private addOlder(mac: string, action: string, count: number): void {
    const older = this.older.get(mac) ?? {};
    older[action] = (older[action] ?? 0) + count;
    this.older.set(mac, older);
  }

  private load(line: string): void {
    const entry = JSON.parse(line) as
      | { mac: string; id?: string; effect: string; count: number }
      | ({ mac: string } & Kept);
    if (!('effect' in entry)) {
      const { mac, ...kept } = entry;
      this.kept.set(mac, { ...this.kept.get(mac), ...kept });
    } else if (entry.id === undefined) this.addOlder(entry.mac, entry.effect, entry.count);
    else this.add(entry.mac, entry.id, entry.effect, entry.count);
  }

  private *lines(): Iterable<string> {
    for (const [mac, kept] of this.kept) yield JSON.stringify({ mac, ...kept });
    for (const [mac, older] of this.older)
      for (const [effect, count] of Object.entries(older)) yield JSON.stringify({ mac, effect, count });
    for (const [mac, effects] of this.effects)
      for (const [id, { action, count }] of effects) yield JSON.stringify({ mac, id, effect: action, count });
  }
}
