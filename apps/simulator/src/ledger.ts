import path from 'node:path';
import { CommandLog, type CommandStore } from '@carillon/device-sdk';
import type { ProvisionedFile } from './maker.ts';

/** How often a device has done a command; more than once is a bug. */
export interface Effect {
  action: string;
  count: number;
}

/** What a device keeps; a reset clears only its resources and its configuration. */
interface Kept {
  /** The version that it starts with; absent means the one it was sold with. */
  firmware?: string;
  /** SHA-256 of the image that it starts with; null when its bytes are not stored. */
  image?: string | null;
  /** The public key whose signatures it trusts. */
  key?: string;
  /** By kind and name. */
  resources?: readonly KeptResource[];
  /** Null after a reset. Absent means the configuration it was sold with. */
  config?: KeptConfig | null;
  /** The file that it loaded over HTTP; null after a reset. */
  file?: ProvisionedFile | null;
}

export interface KeptConfig {
  version: string;
  /** Belongs to the latest file. */
  sha256: string;
  values: Readonly<Record<string, string>>;
}

export interface KeptResource {
  kind: string;
  name: string;
  files: readonly { name: string; size: number; sha256: string }[];
}

/** Effects per device that are kept by command id; older ones are only counted. */
const keptPerDevice = 256;

/**
 * The memory of the simulated devices and their effects, in one file. An effect and the result of its command are one
 * write, so that a SIGKILL at any moment leaves both or none.
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
    return this.commands.forDevice(mac);
  }

  /** Records an effect. Must be called in the same tick in which the command's result is given. */
  did(mac: string, id: string, action: string): void {
    this.add(mac, id, action, 1);
    // The write of the result is the same one and reports its failure.
    this.commands.append(JSON.stringify({ mac, id, effect: action, count: 1 })).catch(() => undefined);
  }

  /** Stores what a device keeps. In the same tick as `did`, both are written or neither. */
  async keep(mac: string, kept: Kept): Promise<void> {
    this.kept.set(mac, { ...this.kept.get(mac), ...kept });
    await this.commands.append(JSON.stringify({ mac, ...kept }));
  }

  keptBy(mac: string): Readonly<Kept> {
    return this.kept.get(mac) ?? {};
  }

  /** Returns the images that devices start with. */
  images(): ReadonlySet<string> {
    return new Set([...this.kept.values()].flatMap(({ image }) => image ?? []));
  }

  timesDone(mac: string, id: string): number {
    return this.effects.get(mac)?.get(id)?.count ?? 0;
  }

  /** Returns whether the device has ever done such a command. */
  hasDone(mac: string, action: string): boolean {
    const isOlder = (this.older.get(mac)?.[action] ?? 0) > 0;
    return isOlder || [...(this.effects.get(mac)?.values() ?? [])].some((effect) => effect.action === action);
  }

  /** Returns the effects of one device by command id. */
  effectsOf(mac: string): Record<string, Effect> {
    return Object.fromEntries(this.effects.get(mac) ?? []);
  }

  macs(): Iterable<string> {
    return this.effects.keys();
  }

  /** Returns the number of effects of all devices by action, since the file was created. */
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
