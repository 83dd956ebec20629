import { deviceActions, type DeviceAction, type DeviceBody, type DeviceConfig } from '@carillon/actions/device';
import {
  deltaFormat,
  Device,
  systemClock,
  type Action,
  type Command,
  type Uplink,
  type UplinkPayload,
} from '@carillon/device-sdk';
import type { Behaviour } from './behaviour.ts';
import { readConfiguration } from './configuration.ts';
import { Doors, type DoorState } from './doors.ts';
import { Downloads, type Answer, type DeviceFile } from './downloads.ts';
import type { Images } from './images.ts';
import type { KeptConfig, KeptResource, Ledger } from './ledger.ts';
import type { ProvisionedFile } from './maker.ts';
import { factsOf, modelOf, type Model } from './model.ts';
import { bootOverHttp, type Start } from './provisioned.ts';
import { randomOf } from './random.ts';

/** A device as the platform knows it. */
export interface Credential {
  mac: string;
  secret: string;
  model?: string;
  sn?: string;
  name?: string;
}

export interface SimulatedDeviceOptions {
  url: string;
  localAddress?: string | undefined;
  ledger: Ledger;
  images: Images;
  seed: number;
  /** Duration of a restart, in milliseconds. */
  rebootMs: number;
  /** Longest delay of a slow device before each answer, in milliseconds. */
  slowMs: number;
  /** Download rate in kbit/s; unlimited when 0. */
  loadKbit: number;
  /** How long a door stays open, in milliseconds. */
  doorMs: number;
  keepAliveSeconds?: number;
  backOff?: { firstMs: number; mostMs: number };
  onOnline(device: SimulatedDevice): void;
  onOffline(device: SimulatedDevice): void;
  onCommand(device: SimulatedDevice, command: Command): void;
  onTrouble(device: SimulatedDevice, error: Error): void;
}

/** How long an answer waits to be overtaken by the next one, in milliseconds. */
const overtakeMs = 300;
const hour = 3_600_000;

/** One phone or door: the SDK's device with a body, its own facts, and a behaviour that can change at run time. */
export class SimulatedDevice {
  readonly mac: string;
  behaviour: Behaviour;
  private readonly options: SimulatedDeviceOptions;
  private readonly device: Device;
  private readonly model: Model;
  private readonly ip: string;
  private readonly random: () => number;
  private readonly state: Omit<UplinkPayload<'state'>, 'at'>;
  private readonly skewMs: number;
  /** Set after a reset: it has no accounts, and only configurations that arrived since. */
  private isEmpty: boolean;
  private stateTold = false;
  private running = false;
  /** The version that it runs; an installed version replaces it at the next start. */
  firmware: string;
  /** SHA-256 of the running image, if its bytes are stored here. */
  private image: string | null;
  private readonly downloads: Downloads;
  private freed: (() => void)[] = [];
  /** What a person at the device sees, and until when. */
  private readonly sights = new Map<string, number>();
  /** Null for a device without doors. */
  readonly doors: Doors | null;
  private held: (() => void) | null = null;
  private cancelRelease: () => void = () => undefined;
  private cancelRestart: () => void = () => undefined;

  constructor(credential: Credential, behaviour: Behaviour, options: SimulatedDeviceOptions) {
    const { mac } = credential;
    this.mac = mac;
    this.behaviour = behaviour;
    this.options = options;
    this.random = randomOf(options.seed, 'conduct', mac);
    this.skewMs = (this.random() < 0.5 ? -1 : 1) * (1 + this.random() * 11) * hour;
    this.model = modelOf(mac, credential.model);
    const { model } = this;
    const { hello, state } = factsOf(options.seed, mac, model, credential.sn ?? mac.toUpperCase());
    this.state = state;
    this.ip = hello.ip;
    this.doors = state.doors ? new Doors(state.doors, options.doorMs, (door) => this.reportDoor(door)) : null;
    this.downloads = new Downloads(mac, options, {
      base: () => this.runsImage,
      isBroken: () => this.behaviour === 'broken',
    });
    const kept = options.ledger.keptBy(mac);
    this.firmware = kept.firmware ?? hello.firmware;
    this.image = kept.image ?? null;
    this.isEmpty = options.ledger.hasDone(mac, 'factoryReset');
    if (this.isEmpty) this.empty();
    this.device = new Device({
      url: options.url,
      localAddress: options.localAddress,
      mac,
      secret: credential.secret,
      describe: () => ({
        ...hello,
        firmware: this.firmware,
        ...(this.isEmpty ? { configVersion: undefined } : {}),
        ...(this.config ? { configVersion: this.config.version } : {}),
      }),
      store: options.ledger.store(mac),
      // Phones have room for two images; doors load the whole file.
      deltaFormats: () => (model.kind === 'phone' && this.runsImage ? [deltaFormat] : []),
      actions: Object.fromEntries(
        Object.entries(deviceActions(model.doors)).map(([key, action]) => [key, this.counted(action)]),
      ),
      clock: { ...systemClock, wall: () => Date.now() + (this.behaviour === 'clock' ? this.skewMs : 0) },
      idle: () => ((this.state.calls ?? 0) === 0 ? null : new Promise((resolve) => this.freed.push(resolve))),
      restart: () => this.restart(),
      // The ledger is written together with the result, so it knows whether an interrupted command had its effect.
      recover: ({ id }) => (options.ledger.timesDone(mac, id) > 0 ? 'done' : 'notDone'),
      keepAliveSeconds: options.keepAliveSeconds,
      backOff: options.backOff,
      random: this.random,
      filter: { up: (message, pass) => this.up(message, pass), down: (command) => this.down(command) },
      onOnline: () => this.cameOnline(),
      onOffline: () => options.onOffline(this),
      onTrouble: (error) => options.onTrouble(this, error),
    });
  }

  get online(): boolean {
    return this.device.online;
  }

  /**
   * SHA-256 of the running image, if its bytes are stored here: only from these can a differential package be applied.
   */
  get runsImage(): string | null {
    return this.image !== null && this.options.images.has(this.image) ? this.image : null;
  }

  /** The configuration that a task gave it. */
  get config(): KeptConfig | null {
    return this.options.ledger.keptBy(this.mac).config ?? null;
  }

  /** The file that it loaded over HTTP. */
  get file(): ProvisionedFile | null {
    return this.options.ledger.keptBy(this.mac).file ?? null;
  }

  /** Loads its files over HTTP as when it starts, keeps what it applies, and calls the action URLs in it. */
  async bootOverHttp(folder: string, failing: readonly number[]): Promise<Start> {
    const { mac, model, firmware, ip, file: kept } = this;
    const phone = { mac, model, firmware, ip, kept: kept ?? undefined, failing };
    const { asked, called, file } = await bootOverHttp(folder, phone);
    if (file && file !== kept) await this.options.ledger.keep(mac, { file });
    return { asked, called };
  }

  /** Its resource files. */
  get resources(): readonly KeptResource[] {
    return this.options.ledger.keptBy(this.mac).resources ?? [];
  }

  /** What a person at the device sees now, and until when. */
  get shows(): Record<string, string> {
    const now = Date.now();
    return Object.fromEntries(
      [...this.sights]
        .filter(([, until]) => until > now)
        .map(([sight, until]) => [sight, new Date(until).toISOString()]),
    );
  }

  async start(): Promise<void> {
    if (this.running || this.behaviour === 'offline') return;
    this.running = true;
    this.boot();
    await this.device.start();
  }

  async stop(): Promise<void> {
    this.running = false;
    this.cancelRestart();
    this.forget();
    await this.device.stop();
  }

  /** Breaks its connection. */
  cut(): void {
    this.device.cut();
  }

  async behave(behaviour: Behaviour): Promise<void> {
    this.behaviour = behaviour;
    if (behaviour !== 'offline') return this.start();
    if (!this.running) return;
    this.running = false;
    this.cancelRestart();
    this.forget();
    this.device.vanish();
  }

  /** Changes the state of the device and publishes it. `calls: 0` lets commands run that wait for an idle device. */
  async change(state: Omit<UplinkPayload<'state'>, 'at'>): Promise<void> {
    const { doors, ...rest } = state;
    Object.assign(this.state, rest);
    if (doors) this.doors?.put(doors);
    if (this.state.calls === 0) for (const resolve of this.freed.splice(0)) resolve();
    if (this.running) await this.device.publish('state', { at: this.wall(), ...state });
  }

  private reportDoor(door: DoorState): void {
    if (this.running) this.device.publish('state', { at: this.wall(), doors: [door] }).catch(() => undefined);
  }

  private wall(): number {
    return Math.round(Date.now() + (this.behaviour === 'clock' ? this.skewMs : 0));
  }

  private cameOnline(): void {
    this.options.onOnline(this);
    if (this.stateTold) return;
    this.stateTold = true;
    this.device.publish('state', { at: this.wall(), ...this.state }).catch(() => undefined);
  }

  /** Wraps an action of the device with its behaviour, and counts its effect if it has one. */
  private counted(action: DeviceAction): Action {
    return async (args, body, answer, command) => {
      let counted = false;
      const effect = () => {
        if (!counted) this.options.ledger.did(this.mac, command.id, command.action);
        counted = true;
      };
      if (this.behaviour === 'busy') return answer({ status: 'fail', code: 'busy' });
      if (this.behaviour === 'failing') {
        await answer({ status: 'accepted' });
        return answer({ status: 'fail', code: 'failed', message: 'The device could not do it.' });
      }
      await action(
        args,
        {
          ...body,
          restart: (boot) => {
            effect();
            if (boot === 'reset') {
              this.empty();
              void this.options.ledger.keep(this.mac, { resources: [], config: null, file: null });
            }
            body.restart(boot);
          },
          load: (file, version, delta) => this.downloads.firmware(file, version, delta, answer),
          read: (file) => this.read(file, answer),
          configure: (config) => this.configure(config, effect),
          loadAll: (resource) => this.downloads.resource(resource, this.resources, answer),
          keep: ({ kind, name, files }) => {
            effect();
            const kept = files.map((file) => ({ name: file.name, size: file.size, sha256: file.sha256 }));
            const others = this.resources.filter((other) => other.kind !== kind || other.name !== name);
            return this.options.ledger.keep(this.mac, { resources: [...others, { kind, name, files: kept }] });
          },
          install: (version) => {
            // The effect counts from here on: it is one write with the new version, so a death before the restart finds
            // both.
            effect();
            return this.behaviour === 'stuck'
              ? Promise.resolve()
              : this.options.ledger.keep(this.mac, { firmware: version, image: this.downloads.image });
          },
          firmware: () => this.firmware,
          moveDoor: (door, command) => {
            const moved = this.doors?.move(door, command) === true;
            if (moved) effect();
            return moved;
          },
          show: (sight, forMs) => {
            this.sights.set(sight, Math.max(Date.now() + forMs, this.sights.get(sight) ?? 0));
          },
        },
        async (a) => {
          if (this.behaviour === 'slow') await body.sleep(this.random() * this.options.slowMs);
          if (a.status === 'success') effect();
          return answer(a);
        },
      );
    };
  }

  private async read(file: DeviceFile, answer: Answer): ReturnType<DeviceBody['read']> {
    const read = await this.downloads.text(file, answer);
    if ('wrong' in read) this.reportConfig({ configFailed: true });
    return read;
  }

  private async configure(
    { version, mode, text }: DeviceConfig,
    effect: () => void,
  ): ReturnType<DeviceBody['configure']> {
    const read = readConfiguration(text);
    if (!read) {
      this.reportConfig({ configFailed: true });
      return null;
    }
    const before = mode === 'merge' ? this.config?.values : {};
    const sha256 = process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');
    effect();
    await this.options.ledger.keep(this.mac, { config: { version, sha256, values: { ...before, ...read.values } } });
    this.reportConfig({ configVersion: version });
    return read.rejected;
  }

  private reportConfig(state: { configVersion: string } | { configFailed: true }): void {
    this.device.publish('state', { at: this.wall(), ...state }).catch(() => undefined);
  }

  /** Starts the installed version. */
  private boot(): void {
    const { firmware, image } = this.options.ledger.keptBy(this.mac);
    this.firmware = firmware ?? this.firmware;
    this.image = image ?? null;
  }

  private restart(): void {
    // A held message is already on its way; the result that follows the next hello overtakes it.
    const { held } = this;
    this.cancelRelease();
    this.forget();
    this.held = held;
    this.stateTold = false;
    this.cancelRestart = systemClock.after(this.options.rebootMs, () => {
      this.boot();
      this.device.start().catch((error: Error) => this.options.onTrouble(this, error));
    });
  }

  /** Clears what a reset removes. */
  private empty(): void {
    this.isEmpty = true;
    this.state.lines = (this.state.lines ?? []).map(({ line }) => ({ line, status: 'unassigned' as const }));
    if (this.state.dnd === 'on') this.state.dnd = 'off';
  }

  /** Clears what the device's memory loses when it goes down. */
  private forget(): void {
    this.held = null;
    this.freed = [];
    this.downloads.stop();
    this.sights.clear();
    this.doors?.fall();
    this.state.calls = 0;
  }

  private down(command: Command): boolean {
    this.options.onCommand(this, command);
    return this.behaviour !== 'dead';
  }

  private up(message: Uplink, pass: (message: Uplink) => void): void {
    if (this.behaviour === 'duplicating') {
      pass(message);
      return pass(message);
    }
    const { held } = this;
    if (this.behaviour === 'reordering' && message.kind === 'result' && !held) {
      const release = () => {
        if (this.held === release) {
          this.held = null;
          pass(message);
        }
      };
      this.held = release;
      this.cancelRelease = systemClock.after(overtakeMs, release);
      return;
    }
    pass(message);
    held?.();
  }
}
