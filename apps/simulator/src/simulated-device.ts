import { deviceActions, type DeviceAction } from '@carillon/actions/device';
import { Device, systemClock, type Action, type Command, type Uplink, type UplinkPayload } from '@carillon/device-sdk';
import type { Behaviour } from './behaviour.ts';
import type { Ledger } from './ledger.ts';
import { factsOf, modelOf } from './model.ts';
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
  seed: number;
  /** How long a restart takes, ms. */
  rebootMs: number;
  /** A slow device waits up to this before each answer, ms. */
  slowMs: number;
  keepAliveSeconds?: number;
  backOff?: { firstMs: number; mostMs: number };
  onOnline(device: SimulatedDevice): void;
  onOffline(device: SimulatedDevice): void;
  onCommand(device: SimulatedDevice, command: Command): void;
  onTrouble(device: SimulatedDevice, error: Error): void;
}

/** How long an answer waits to be overtaken by the next, ms. */
const overtakeMs = 300;
const hour = 3_600_000;

/** One phone or door: the SDK's device with a body, facts of its own and a behaviour that can change while it runs. */
export class SimulatedDevice {
  readonly mac: string;
  behaviour: Behaviour;
  private readonly options: SimulatedDeviceOptions;
  private readonly device: Device;
  private readonly random: () => number;
  private readonly state: Omit<UplinkPayload<'state'>, 'at'>;
  private readonly skewMs: number;
  private stateTold = false;
  private running = false;
  private freed: (() => void)[] = [];
  /** What somebody beside it sees, and until when. */
  private readonly sights = new Map<string, number>();
  private held: (() => void) | null = null;
  private cancelRestart: () => void = () => undefined;

  constructor(credential: Credential, behaviour: Behaviour, options: SimulatedDeviceOptions) {
    const { mac } = credential;
    this.mac = mac;
    this.behaviour = behaviour;
    this.options = options;
    this.random = randomOf(options.seed, 'conduct', mac);
    this.skewMs = (this.random() < 0.5 ? -1 : 1) * (1 + this.random() * 11) * hour;
    const model = modelOf(mac, credential.model);
    const { hello, state } = factsOf(options.seed, mac, model, credential.sn ?? mac.toUpperCase());
    this.state = state;
    this.device = new Device({
      url: options.url,
      localAddress: options.localAddress,
      mac,
      secret: credential.secret,
      describe: () => hello,
      store: options.ledger.store(mac),
      actions: Object.fromEntries(Object.entries(deviceActions).map(([key, action]) => [key, this.counted(action)])),
      clock: { ...systemClock, wall: () => Date.now() + (this.behaviour === 'clock' ? this.skewMs : 0) },
      idle: () =>
        (this.state.calls ?? 0) === 0 ? Promise.resolve() : new Promise((resolve) => this.freed.push(resolve)),
      restart: () => this.restart(),
      // The ledger is written together with the result, so it knows whether a command that was cut off had its effect.
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

  /** What somebody beside it sees now, and until when. */
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
    await this.device.start();
  }

  async stop(): Promise<void> {
    this.running = false;
    this.cancelRestart();
    this.forget();
    await this.device.stop();
  }

  /** Its connection breaks. */
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

  /**
   * Changes what the device is in, and tells the platform; `calls: 0` ends the wait of a command that waits for idle.
   */
  async change(state: Omit<UplinkPayload<'state'>, 'at'>): Promise<void> {
    Object.assign(this.state, state);
    if (this.state.calls === 0) for (const resolve of this.freed.splice(0)) resolve();
    if (this.running) await this.device.publish('state', { at: this.wall(), ...state });
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

  /** The action as the device does it, with its behaviour, and its effect counted where it has one. */
  private counted(action: DeviceAction): Action {
    return async (args, body, answer, command) => {
      let counted = false;
      const effect = () => {
        if (!counted) this.options.ledger.did(this.mac, command.id, command.action);
        counted = true;
      };
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
            body.restart(boot);
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

  private restart(): void {
    this.forget();
    this.stateTold = false;
    this.cancelRestart = systemClock.after(this.options.rebootMs, () => {
      this.device.start().catch((error: Error) => this.options.onTrouble(this, error));
    });
  }

  /** What the memory of a device loses when it goes down. */
  private forget(): void {
    this.held = null;
    this.freed = [];
    this.sights.clear();
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
      systemClock.after(overtakeMs, release);
      return;
    }
    pass(message);
    held?.();
  }
}
