import { assign, isBehaviour, type Behaviour, type Mix } from './behaviour.ts';
import type { CountedDoor } from './doors.ts';
import { Images } from './images.ts';
import { Ledger, type Effect, type KeptConfig, type KeptResource } from './ledger.ts';
import type { ProvisionedFile } from './maker.ts';
import type { Start } from './provisioned.ts';
import { SimulatedDevice, type Credential } from './simulated-device.ts';
import type { UplinkPayload } from '@carillon/device-sdk';

export type { Credential } from './simulated-device.ts';

export interface FleetOptions {
  /** `mqtt://host:port` of the gateway. */
  url: string;
  /** Local address for the connections; several fleets on one machine need one each, for enough ports. */
  localAddress?: string | undefined;
  devices: readonly Credential[];
  /** Folder for command memory and effect counts; only one running fleet may use its devices at a time. */
  stateDir: string;
  /** Shares of the behaviours; all normal when absent. */
  mix?: Mix;
  seed?: number;
  /** Duration of a restart in milliseconds; 0 for none. */
  rebootMs?: number;
  slowMs?: number;
  /** Download rate of a device in kbit/s; unlimited when 0 or absent. */
  loadKbit?: number;
  /** How long a door stays open, in milliseconds; 5 s when absent. */
  doorMs?: number;
  /** New connections per second; all at once when 0. 200 when absent. */
  connectPerSecond?: number;
  keepAliveSeconds?: number;
  backOff?: { firstMs: number; mostMs: number };
  onTrouble?(mac: string, error: Error): void;
}

export interface FleetStats {
  devices: number;
  connected: number;
  /** Commands received since this process started, including repetitions. */
  commands: Record<string, number>;
  /** Effects by action, since the state folder was created. */
  effects: Record<string, number>;
  behaviours: Mix;
  /** How often devices came online and lost their connection since this process started. */
  onlines: number;
  offlines: number;
  troubles: number;
}

export interface Fleet {
  stats(): FleetStats;
  /** Returns the effects by MAC and command id, with how often each was done. */
  effects(mac?: string): Record<string, Record<string, Effect>>;
  /**
   * `firmware`: the version that it runs; `image`: the SHA-256 of its bytes, if they are stored here; `config`: the
   * keys of the configuration from a task, without values, which may be passwords; `file`: what it loaded over HTTP,
   * which has the passwords of its lines; `resources`: its resource files;
   * `shows`: what a person at the device sees, and until when. Each is absent when empty. `doors`: the state of each
   * door, and how often it was opened since this process started.
   */
  devices(): {
    mac: string;
    model?: string;
    online: boolean;
    behaviour: Behaviour;
    firmware: string;
    image?: string;
    config?: Omit<KeptConfig, 'values'> & { keys: readonly string[] };
    file?: ProvisionedFile;
    resources?: readonly KeptResource[];
    shows?: Record<string, string>;
    doors?: CountedDoor[];
  }[];
  behave(mac: string, behaviour: Behaviour): Promise<void>;
  /**
   * Lets a device load its files over HTTP and call its action URLs, as when it starts. A device over MQTT needs the
   * folder; a phone over HTTP knows where to ask.
   */
  bootOverHttp(mac: string, folder: string, failing: readonly number[]): Promise<Start>;
  /** Breaks the connections of all devices at once; they reconnect by their own back-off. */
  cut(): void;
  change(mac: string, state: Omit<UplinkPayload<'state'>, 'at'>): Promise<void>;
  /** Resolves when every device that should be online has been online. */
  ready: Promise<void>;
  /** Says goodbye for every device and closes the files. */
  stop(): Promise<void>;
}

/** Runs simulated devices in this process. Rejects when the state folder cannot be used. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { seed = 1, rebootMs = 3_000, slowMs = 10_000, loadKbit = 0, doorMs = 5_000, connectPerSecond = 200 } = options;
  const ledger = await Ledger.open(options.stateDir);
  const images = new Images(options.stateDir, ledger.images());
  const commands: Record<string, number> = {};
  const counts = { onlines: 0, offlines: 0, troubles: 0 };
  const mix = assign(
    options.devices.map((d) => d.mac),
    options.mix ?? { normal: 1 },
    seed,
  );
  const awaited = new Set<string>();
  const ready = Promise.withResolvers<void>();

  const shared = {
    url: options.url,
    localAddress: options.localAddress,
    ledger,
    images,
    seed,
    rebootMs,
    slowMs,
    loadKbit,
    doorMs,
    keepAliveSeconds: options.keepAliveSeconds,
    backOff: options.backOff,
    onOnline: ({ mac }: SimulatedDevice) => {
      counts.onlines++;
      if (awaited.delete(mac) && awaited.size === 0) ready.resolve();
    },
    onOffline: () => {
      counts.offlines++;
    },
    onCommand: (_: SimulatedDevice, { action }: { action: string }) => {
      commands[action] = (commands[action] ?? 0) + 1;
    },
    onTrouble: ({ mac }: SimulatedDevice, error: Error) => {
      counts.troubles++;
      options.onTrouble?.(mac, error);
    },
  };
  const fleet = new Map(options.devices.map((d) => [d.mac, new SimulatedDevice(d, mix.get(d.mac)!, shared)]));
  for (const device of fleet.values()) if (device.behaviour !== 'offline') awaited.add(device.mac);
  if (awaited.size === 0) ready.resolve();
  const stopBooting = boot([...fleet.values()], connectPerSecond, (device, error) => shared.onTrouble(device, error));

  const find = (mac: string): SimulatedDevice => {
    const device = fleet.get(mac);
    if (!device) throw new Error(`no device ${mac} in this fleet`);
    return device;
  };
  return {
    stats: () => {
      const behaviours: Mix = {};
      let connected = 0;
      for (const device of fleet.values()) {
        behaviours[device.behaviour] = (behaviours[device.behaviour] ?? 0) + 1;
        if (device.online) connected++;
      }
      return {
        devices: fleet.size,
        connected,
        commands: { ...commands },
        effects: ledger.totals(),
        behaviours,
        ...counts,
      };
    },
    effects: (mac) => Object.fromEntries((mac ? [mac] : [...ledger.macs()]).map((m) => [m, ledger.effectsOf(m)])),
    devices: () =>
      [...fleet.values()].map(
        ({ mac, online, behaviour, firmware, runsImage, config, file, resources, shows, doors }) => ({
          mac,
          online,
          behaviour,
          firmware,
          ...(runsImage === null ? {} : { image: runsImage }),
          ...(config
            ? {
                config: {
                  version: config.version,
                  sha256: config.sha256,
                  keys: Object.keys(config.values).toSorted(),
                },
              }
            : {}),
          ...(file ? { file } : {}),
          ...(resources.length > 0 ? { resources } : {}),
          ...(Object.keys(shows).length > 0 ? { shows } : {}),
          ...(doors ? { doors: doors.counted } : {}),
        }),
      ),
    behave: (mac, behaviour) => {
      if (!isBehaviour(behaviour)) throw new Error(`'${String(behaviour)}' is no behaviour`);
      return find(mac).behave(behaviour);
    },
    bootOverHttp: (mac, folder, failing) => find(mac).bootOverHttp(folder, failing),
    cut: () => {
      for (const device of fleet.values()) device.cut();
    },
    change: (mac, state) => find(mac).change(state),
    ready: ready.promise,
    stop: async () => {
      stopBooting();
      await Promise.all([...fleet.values()].map((device) => device.stop()));
      await ledger.close();
    },
  };
}

/** Starts devices one after the other at the given rate. Returns a function that stops this. */
function boot(
  devices: SimulatedDevice[],
  perSecond: number,
  trouble: (device: SimulatedDevice, error: Error) => void,
): () => void {
  const began = performance.now();
  let next = 0;
  const some = () => {
    const until =
      perSecond > 0
        ? Math.min(devices.length, 1 + Math.floor(((performance.now() - began) / 1000) * perSecond))
        : devices.length;
    for (; next < until; next++) {
      const device = devices[next]!;
      device.start().catch((error: Error) => trouble(device, error));
    }
    if (next >= devices.length) clearInterval(timer);
  };
  const timer = setInterval(some, 10);
  some();
  return () => clearInterval(timer);
}
