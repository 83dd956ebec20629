import path from 'node:path';
import { CommandLog, type CommandStore } from '@carillon/device-sdk';

/** How often a device really did a command; more than once is a broken promise. */
export interface Effect {
  action: string;
  count: number;
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
  private count = 0;
  private commands!: CommandLog;

  static async open(folder: string): Promise<Ledger> {
    const ledger = new Ledger();
    ledger.commands = await CommandLog.open(path.join(folder, 'devices.log'), {
      sync: false,
      foreign: { load: (line) => ledger.load(line), lines: () => ledger.lines(), count: () => ledger.count },
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

  timesDone(mac: string, id: string): number {
    return this.effects.get(mac)?.get(id)?.count ?? 0;
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
    const entry = JSON.parse(line) as { mac: string; id?: string; effect: string; count: number };
    if (entry.id === undefined) this.addOlder(entry.mac, entry.effect, entry.count);
    else this.add(entry.mac, entry.id, entry.effect, entry.count);
  }

  private *lines(): Iterable<string> {
    for (const [mac, older] of this.older)
      for (const [effect, count] of Object.entries(older)) yield JSON.stringify({ mac, effect, count });
    for (const [mac, effects] of this.effects)
      for (const [id, { action, count }] of effects) yield JSON.stringify({ mac, id, effect: action, count });
  }
}
