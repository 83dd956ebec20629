import path from 'node:path';
import { assign, isBehaviour, type Behaviour, type Mix } from './behaviour.ts';
import type { Fleet, FleetStats } from './fleet.ts';
import { HttpPhone, type PhoneChange } from './http-phone.ts';
import { Ledger } from './ledger.ts';
import { modelOf } from './model.ts';
import type { Start } from './provisioned.ts';
import { pick, randomOf } from './random.ts';
import { Refusal } from './refusal.ts';
import { turnsOf } from './turns.ts';

/** A phone that never had an address of its own. */
export interface SoldPhone {
  mac: string;
  model?: string;
}

export interface PhoneFleetOptions {
  /** Address of the server, which is all that a new phone knows: `http://host:port/`. */
  server: string;
  phones: readonly SoldPhone[];
  /** Folder for the files and the effects of the phones. Only one running fleet may use it at a time. */
  stateDir: string;
  /** Shares of `normal` and `offline`; all normal when absent. */
  mix?: Mix;
  seed?: number;
  /** Duration of a restart in milliseconds. */
  rebootMs?: number;
  /** New starts per second; all at once when 0. */
  connectPerSecond?: number;
  /** UDP port on which each phone takes a SIP NOTIFY, at a loopback address of its own. */
  sipPort?: number;
  /** Certificate of an authority that the phones trust besides the public ones, PEM. */
  ca?: string | undefined;
  /** After what time a phone asks again that got no file of its own, in milliseconds. */
  retryMs?: number;
  onTrouble?(mac: string, error: Error): void;
}

interface Entry {
  phone: HttpPhone;
  behaviour: Behaviour;
  /** Monotonic time of what it does next, in milliseconds: its start while `isOff`, or else a request. */
  dueAt: number;
  isOff: boolean;
  wasLoaded: boolean;
}

/** Phones that use the network at the same time. */
const atOnce = 32;
const tickMs = 250;
/** Addresses that a phone tries for its port; another fleet may have one of them. */
const mostAddresses = 8;
/** What phones over HTTP can be told to be. */
const known: readonly Behaviour[] = ['normal', 'offline'];

/** Returns loopback addresses for a phone; undefined when the server is on another machine, which cannot reach them. */
function addressesFor({ server, stateDir }: PhoneFleetOptions, mac: string): (() => Iterable<string>) | undefined {
  if (!/^(127\.|localhost$)/.test(new URL(server).hostname)) return undefined;
  return function* () {
    const random = randomOf('address', path.resolve(stateDir), mac);
    const byte = () => 1 + Math.floor(random() * 254);
    for (let n = 0; n < mostAddresses; n++) yield `127.${byte()}.${byte()}.${byte()}`;
  };
}

/** Phones as they are sold, over HTTP: one timer for all of them, and few that ask at the same time. */
class PhoneFleet implements Fleet {
  private readonly entries = new Map<string, Entry>();
  private readonly counts = { onlines: 0, offlines: 0, troubles: 0 };
  private readonly commands: Record<string, number> = {};
  private readonly settled = Promise.withResolvers<void>();
  private readonly timer: NodeJS.Timeout;
  private readonly options: PhoneFleetOptions;
  private readonly ledger: Ledger;
  private toStart: number;

  constructor(options: PhoneFleetOptions, ledger: Ledger) {
    this.options = options;
    this.ledger = ledger;
    const { phones, mix = { normal: 1 }, seed = 1, connectPerSecond = 200 } = options;
    const macs = phones.map(({ mac }) => mac);
    const behaviours = assign(macs, mix, seed);
    const turn = turnsOf(atOnce);
    const began = performance.now();
    for (const [index, sold] of phones.entries()) {
      const behaviour = behaviours.get(sold.mac)!;
      const entry = this.entryOf(sold, behaviour, turn);
      if (behaviour !== 'offline')
        entry.dueAt = began + (connectPerSecond > 0 ? (index * 1_000) / connectPerSecond : 0);
      this.entries.set(sold.mac, entry);
    }
    this.toStart = [...this.entries.values()].filter(({ behaviour }) => behaviour !== 'offline').length;
    if (this.toStart === 0) this.settled.resolve();
    this.timer = setInterval(() => this.tick(), tickMs);
    this.tick();
  }

  get ready(): Promise<void> {
    return this.settled.promise;
  }

  private entryOf({ mac, model: name }: SoldPhone, behaviour: Behaviour, turn: ReturnType<typeof turnsOf>): Entry {
    const { options, ledger } = this;
    const { server, seed = 1, sipPort = 5060, rebootMs = 3_000, ca } = options;
    const model = modelOf(mac, name);
    const random = randomOf(seed, 'facts', mac);
    const kept = ledger.keptBy(mac);
    const keep = (part: Parameters<Ledger['keep']>[1]) =>
      void ledger.keep(mac, part).catch((error: Error) => this.trouble(mac, error));
    const phone = new HttpPhone({
      folder: server.endsWith('/') ? server : `${server}/`,
      phone: { mac, model, firmware: kept.firmware ?? pick(random, model.firmware), ip: '127.0.0.1', ca },
      kept: kept.file ?? undefined,
      sipPort,
      addresses: addressesFor(options, mac) ?? (() => []),
      restartMs: rebootMs,
      turn,
      onFile: (file) => keep({ file }),
      onFirmware: (firmware) => keep({ firmware }),
      onDone: (effect, call) => {
        this.commands[effect] = (this.commands[effect] ?? 0) + 1;
        ledger.did(mac, call, effect);
        this.plan(this.find(mac));
      },
      onTrouble: (error) => this.trouble(mac, error),
    });
    return { phone, behaviour, dueAt: Number.POSITIVE_INFINITY, isOff: true, wasLoaded: false };
  }

  private tick(): void {
    const now = performance.now();
    for (const entry of this.entries.values()) {
      if (entry.dueAt > now) continue;
      entry.dueAt = Number.POSITIVE_INFINITY;
      const isStart = entry.isOff;
      const work: Promise<unknown> = isStart ? entry.phone.start() : entry.phone.ask();
      work
        .then(() => (entry.isOff = !entry.phone.isOn))
        .catch((error: Error) => entry.phone.isOn && this.trouble(entry.phone.mac, error))
        .finally(() => {
          this.plan(entry);
          if (isStart && this.toStart > 0 && --this.toStart === 0) this.settled.resolve();
        });
    }
  }

  /** Counts whether a phone has its file, and notes when it asks the next time. */
  private plan(entry: Entry): void {
    const { hasLoaded, nextAskMs } = entry.phone;
    if (hasLoaded !== entry.wasLoaded) this.counts[hasLoaded ? 'onlines' : 'offlines']++;
    entry.wasLoaded = hasLoaded;
    const { retryMs = 60_000 } = this.options;
    entry.dueAt =
      entry.behaviour === 'offline' ? Number.POSITIVE_INFINITY : performance.now() + (hasLoaded ? nextAskMs : retryMs);
  }

  private trouble(mac: string, error: Error): void {
    this.counts.troubles++;
    this.options.onTrouble?.(mac, error);
  }

  private find(mac: string): Entry {
    const entry = this.entries.get(mac);
    if (!entry) throw new Refusal(404, `no phone ${mac} in this fleet`);
    return entry;
  }

  stats(): FleetStats {
    const all = [...this.entries.values()];
    const behaviours: Mix = {};
    for (const { behaviour } of all) behaviours[behaviour] = (behaviours[behaviour] ?? 0) + 1;
    return {
      devices: all.length,
      connected: all.filter(({ phone }) => phone.hasLoaded).length,
      commands: { ...this.commands },
      effects: this.ledger.totals(),
      behaviours,
      ...this.counts,
    };
  }

  effects(mac?: string): ReturnType<Fleet['effects']> {
    return Object.fromEntries((mac ? [mac] : [...this.ledger.macs()]).map((m) => [m, this.ledger.effectsOf(m)]));
  }

  devices(): ReturnType<Fleet['devices']> {
    return [...this.entries.values()].map(({ phone, behaviour }) => ({
      mac: phone.mac,
      model: phone.model.name,
      online: phone.hasLoaded,
      behaviour,
      firmware: phone.firmware,
      ...(phone.file ? { file: phone.file } : {}),
    }));
  }

  async behave(mac: string, behaviour: Behaviour): Promise<void> {
    if (!isBehaviour(behaviour) || !known.includes(behaviour))
      throw new Refusal(400, `a phone over HTTP is one of ${known.join(', ')}`);
    const entry = this.find(mac);
    if (entry.behaviour === behaviour) return;
    entry.behaviour = behaviour;
    entry.dueAt = Number.POSITIVE_INFINITY;
    // One that is switched on again first ends what it did.
    await entry.phone.stop();
    entry.isOff = true;
    this.plan(entry);
    if (entry.behaviour !== 'offline') entry.dueAt = performance.now();
  }

  /** Starts a phone again, at the address that it knows. Its lines in `failing` do not register. */
  async bootOverHttp(mac: string, _folder: string, failing: readonly number[]): Promise<Start> {
    const entry = this.find(mac);
    entry.phone.failing = failing;
    const start = await entry.phone.start();
    entry.isOff = !entry.phone.isOn;
    this.plan(entry);
    return start;
  }

  /** Phones over HTTP keep no connection. */
  cut(): void {
    return undefined;
  }

  async change(mac: string, state: PhoneChange): Promise<void> {
    await this.find(mac).phone.change(state);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    for (const entry of this.entries.values()) entry.behaviour = 'offline';
    await Promise.all([...this.entries.values()].map(({ phone }) => phone.stop()));
    await this.ledger.close();
  }
}

/** Runs simulated phones over HTTP in this process. Rejects when the state folder cannot be used. */
export const startPhones = async (options: PhoneFleetOptions): Promise<Fleet> =>
  new PhoneFleet(options, await Ledger.open(options.stateDir));
