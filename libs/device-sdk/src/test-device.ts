import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandLog, Device, type Clock, type DeviceOptions } from './index.ts';
import { TestPlatform, type TestPlatformOptions } from './test-platform.ts';

/** A clock that moves only when the test advances it. */
export class VirtualClock implements Clock {
  private at = 1_000;
  private timers: { due: number; call: () => void }[] = [];
  /** Error of the wall clock, ms. */
  wrongBy = 0;

  monotonic(): number {
    return this.at;
  }
  wall(): number {
    return 1_800_000_000_000 + this.at + this.wrongBy;
  }

  after(ms: number, call: () => void): () => void {
    if (ms <= 0) {
      const now = setImmediate(call);
      return () => clearImmediate(now);
    }
    const timer = { due: this.at + ms, call };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  /** Returns the pause until the next timer, ms; null without one. */
  next(): number | null {
    return this.timers.length === 0 ? null : Math.min(...this.timers.map((timer) => timer.due)) - this.at;
  }

  advance(ms: number): void {
    this.at += ms;
    for (const timer of this.timers.filter(({ due }) => due <= this.at)) {
      this.timers = this.timers.filter((other) => other !== timer);
      timer.call();
    }
  }
}

export const mac = '0c383e000001';

/** The device's actions, in order. */
export type Deeds = { action: string; id: string }[];

/** A platform, a device, and the file that the device keeps over restarts. */
export class Bench {
  readonly clock = new VirtualClock();
  readonly deeds: Deeds = [];
  readonly troubles: string[] = [];
  platform!: TestPlatform;
  private folder!: string;
  private readonly devices: Device[] = [];
  private readonly logs: CommandLog[] = [];

  static async set(options: Partial<TestPlatformOptions> = {}): Promise<Bench> {
    const bench = new Bench();
    bench.folder = await mkdtemp(path.join(tmpdir(), 'carillon-device-'));
    // The platform has another time, which a device must learn.
    bench.platform = await TestPlatform.start({
      port: 0,
      now: () => 1_900_000_000_000 + bench.clock.monotonic(),
      ...options,
    });
    return bench;
  }

  get logFile(): string {
    return path.join(this.folder, 'commands.log');
  }

  openLog(): Promise<CommandLog> {
    return CommandLog.open(this.logFile, { sync: false }).then((log) => (this.logs.push(log), log));
  }

  /**
   * Creates a device that reads the file again, as after a power cut; `note` succeeds at once and `door` is a
   * doorControl.
   */
  async device(options: Partial<DeviceOptions> = {}): Promise<Device> {
    const log = await this.openLog();
    const note: DeviceOptions['actions'][string] = async (_args, _body, answer, { id, action }) => {
      this.deeds.push({ action, id });
      await answer({ status: 'success', data: { done: this.deeds.length } });
    };
    const device = new Device({
      url: this.platform.url,
      mac,
      secret: 'correct horse',
      store: log.forDevice(mac),
      clock: this.clock,
      random: () => 0,
      describe: () => ({ model: 'X6U', sn: 'SN1', firmware: '2.12.22.2', ip: '10.0.0.1' }),
      onTrouble: (error) => this.troubles.push(error.message),
      ...options,
      actions: { note, doorControl: note, ...options.actions },
    });
    this.devices.push(device);
    return device;
  }

  async online(options: Partial<DeviceOptions> = {}): Promise<Device> {
    const device = await this.device(options);
    await device.start();
    await device.ready();
    return device;
  }

  /** Sends a command that finishes at once and waits for it: everything sent before has then been read. */
  async settle(): Promise<void> {
    await this.platform.answer(this.platform.send(mac, { action: 'note' }));
  }

  async clear(): Promise<void> {
    await Promise.all(this.devices.map((device) => device.stop()));
    await this.platform.stop();
    for (const log of this.logs) await log.close();
    await rm(this.folder, { recursive: true });
  }
}
