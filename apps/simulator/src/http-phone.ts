import type { Socket } from 'node:dgram';
import { accountsOf, callOf, type Account, type ActionCall, type ActionEvent } from './action-url.ts';
import type { DoorState } from './doors.ts';
import { loadImage, loadResources } from './http-firmware.ts';
import { makers } from './maker.ts';
import type { Model } from './model.ts';
import { readNotify } from './notify.ts';
import {
  callOverHttp,
  fetchOverHttp,
  settleOverHttp,
  type Called,
  type ProvisionedFile,
  type Provisioned,
  type Start,
} from './provisioned.ts';

export interface HttpPhoneOptions {
  /** Where it asks for its files until a file names another place. */
  folder: string;
  phone: Omit<Provisioned, 'kept' | 'failing'>;
  kept?: ProvisionedFile | undefined;
  /** UDP port for SIP at its address. */
  sipPort: number;
  /** Addresses of this machine for that port, of which it takes the first free one; that of `phone` when absent. */
  addresses?: (() => Iterable<string>) | undefined;
  /** Duration of a restart, in milliseconds. */
  restartMs: number;
  /** Bounds how many phones use the network at the same time. */
  turn?: <T>(work: () => Promise<T>) => Promise<T>;
  /** It has other values now. */
  onFile?: (file: ProvisionedFile) => void;
  /** It runs another firmware now. */
  onFirmware?: (version: string) => void;
  /** It did what a NOTIFY said; `call` is the Call-ID of that. */
  onDone?: (effect: 'fetch' | 'restart', call: string) => void;
  /** It could not load its files or call its URLs. */
  onTrouble: (error: Error) => void;
}

/** What a person does with a phone; absent means unchanged. */
export interface PhoneChange {
  /** Number of calls that go on. */
  calls?: number;
  dnd?: 'on' | 'off';
  lines?: { line: number; status: 'registered' | 'unregistered' | 'failed' }[];
  doors?: DoorState[];
}

/** NOTIFYs, and addresses of files, that a phone remembers: a repeated one comes within seconds. */
const mostRemembered = 32;
class Recent extends Set<string> {
  override add(one: string): this {
    super.add(one);
    if (this.size > mostRemembered) this.delete(this.values().next().value!);
    return this;
  }
}

/** A phone over HTTP that stays on: it fetches its configuration and restarts when a SIP NOTIFY tells it to. */
export class HttpPhone {
  private readonly options: HttpPhoneOptions;
  private socket: Socket | undefined;
  /** Aborted when it is switched off; absent until it is switched on. */
  private power: AbortController | undefined;
  private stopping: Promise<void> = Promise.resolve();
  private readonly running = new Set<Promise<unknown>>();
  private last: Promise<unknown> = Promise.resolve();
  private readonly seen = new Recent();
  /** Addresses of files that it loaded. */
  private readonly loaded = new Recent();
  private from: string | undefined;
  private calls = 0;
  /** The address of an image in a file without values. */
  private image: string | undefined;
  file: ProvisionedFile | undefined;
  /** The version that it runs. */
  firmware: string;
  /** Names of the resource files that it loaded. */
  readonly resources: string[] = [];
  /** Whether its last request brought its own file. */
  hasLoaded = false;
  /** Lines that do not register when it starts. */
  failing: readonly number[] = [];

  constructor(options: HttpPhoneOptions) {
    this.options = options;
    this.file = options.kept;
    this.firmware = options.phone.firmware;
    this.from = options.phone.from;
  }

  get mac(): string {
    return this.options.phone.mac;
  }

  get model(): Model {
    return this.options.phone.model;
  }

  get isOn(): boolean {
    return this.power?.signal.aborted === false;
  }

  /** Switches it on, or starts it again. Rejects when it is switched off before the start has ended. */
  async start(): Promise<Start> {
    await this.stopping;
    if (!this.isOn) this.power = new AbortController();
    return this.run(async () => {
      if (!this.socket) await this.listen();
      return this.up();
    });
  }

  /** Switches it off. Returns when nothing of it runs any more. */
  stop(): Promise<void> {
    this.stopping = this.stopping.then(() => this.off());
    return this.stopping;
  }

  private async off(): Promise<void> {
    this.power?.abort();
    await Promise.allSettled([...this.running, this.last]);
    const { socket } = this;
    this.socket = undefined;
    this.hasLoaded = false;
    if (socket) await new Promise<void>((resolve) => socket.close(() => resolve()));
  }

  /** Asks for its files, as it does from time to time. */
  ask(): Promise<void> {
    return this.run(async () => {
      await this.turn(() => this.fetch());
      await this.upgrade(false);
    });
  }

  /** Runs work for whose end a stop waits. */
  private run<T>(work: () => Promise<T>): Promise<T> {
    const running = work().finally(() => this.running.delete(running));
    this.running.add(running);
    return running;
  }

  /** Returns when it asks for its files the next time, in milliseconds from now, by its configuration. */
  get nextAskMs(): number {
    return makers[this.options.phone.model.vendor].nextAsk(this.file?.values ?? {}, new Date());
  }

  /** Changes its state as a person does, and calls the URLs for it. */
  async change({ calls, dnd, lines = [], doors = [] }: PhoneChange): Promise<Called[]> {
    const { file } = this;
    if (!file || !this.isOn) return [];
    const accounts = accountsOf(this.phone.model, file.values);
    const urlOf = (event: ActionEvent, account?: Account, door?: number) =>
      callOf(this.phone, file, event, { account, door });
    const wanted: ActionCall[] = [
      ...(dnd === undefined ? [] : urlOf(dnd === 'on' ? 'dnd-on' : 'dnd-off')),
      ...lines.flatMap(({ line, status }) => {
        const account = accounts.find((one) => one.line === line);
        return account ? urlOf(status, account) : [];
      }),
      ...doors.flatMap(({ door, status }) =>
        status === 'open' || status === 'closed' ? urlOf(`door-${status}`, undefined, door) : [],
      ),
    ];
    const changed = (calls ?? this.calls) - this.calls;
    this.calls += changed;
    for (let n = 0; n < Math.abs(changed); n++)
      wanted.push(...urlOf(changed > 0 ? 'call-start' : 'call-end', accounts[0]));
    return this.turn(() => callOverHttp(wanted, this.phone, file));
  }

  private turn<T>(work: () => Promise<T>): Promise<T> {
    return this.options.turn ? this.options.turn(work) : work();
  }

  /** Opens its port for SIP at the first free address. Without any it hears no NOTIFY. */
  private async listen(): Promise<void> {
    const { phone, sipPort, addresses } = this.options;
    for (const address of addresses?.() ?? [phone.from]) {
      // Not imported: only phones that listen need it.
      const socket = process.getBuiltinModule('node:dgram').createSocket('udp4');
      const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
        socket.once('error', resolve).bind(sipPort, address, () => resolve(undefined));
      });
      if (!error) {
        // It was switched off meanwhile, or another start was faster.
        if (!this.isOn || this.socket) return void socket.close();
        socket.on('error', this.options.onTrouble);
        socket.on('message', (message, from) => this.take(message.toString(), from));
        this.socket = socket;
        this.from = address;
        return;
      }
      socket.close();
      if (!addresses) throw error;
    }
  }

  /** Starts, and once more with each image that its files name. */
  private async up(): Promise<Start> {
    const start = await this.turn(() => this.boot());
    return (await this.upgrade(true)) ?? start;
  }

  private async boot(): Promise<Start> {
    this.calls = 0;
    this.hasLoaded = false;
    const { starts, file, image } = await settleOverHttp(this.folder, this.phone);
    this.keep(file, image, starts.at(-1)!.asked);
    return starts.at(-1)!;
  }

  private async fetch(): Promise<void> {
    this.hasLoaded = false;
    const { asked, file, image } = await fetchOverHttp(this.folder, this.phone);
    this.keep(file, image, asked);
  }

  /** Loads what its files name, and restarts with an image. Returns how it started; undefined without an image. */
  private async upgrade(started: boolean): Promise<Start | undefined> {
    const upgradable = { phone: this.phone, kept: this.file, named: this.image, started };
    const version = await this.turn(async () => {
      this.resources.push(...(await loadResources(upgradable, this.loaded)));
      return loadImage(upgradable, this.loaded);
    });
    if (version === undefined) return undefined;
    this.firmware = version;
    this.options.onFirmware?.(version);
    return this.restart();
  }

  private async restart(): Promise<Start | undefined> {
    await new Promise((resolve) => setTimeout(resolve, this.options.restartMs));
    return this.isOn ? this.up() : undefined;
  }

  private get folder(): string {
    const { folder, phone } = this.options;
    return makers[phone.model.vendor].server(this.file?.values ?? {}) ?? folder;
  }

  private get phone(): Provisioned {
    const { from, file: kept, failing, firmware } = this;
    const { phone } = this.options;
    return { ...phone, firmware, from, ip: from ?? phone.ip, kept, failing, signal: this.power?.signal };
  }

  private keep(file: ProvisionedFile | undefined, image: string | undefined, asked: Start['asked']): void {
    this.image = image;
    this.hasLoaded = asked.some((one) => one.status === 200 && one.file.toLowerCase().includes(this.mac));
    if (file === undefined || file === this.file) return;
    this.file = file;
    this.options.onFile?.(file);
  }

  private take(datagram: string, from: { address: string; port: number }): void {
    const { phone, onDone, onTrouble } = this.options;
    const notified = readNotify(datagram, phone.model.vendor, this.file?.values ?? {});
    if (!notified || !this.socket || !this.isOn) return;
    this.socket.send(notified.answer, from.port, from.address);
    const call = /^call-id:\s*(.*)$/im.exec(datagram)?.[1] ?? '';
    // A repeated datagram is answered again, and not done again.
    if (notified.effect === null || this.seen.has(call)) return;
    this.seen.add(call);
    const { effect } = notified;
    this.last = this.last
      .then(async () => {
        await (effect === 'fetch' ? this.ask() : this.restart());
        if (this.isOn) onDone?.(effect, call);
      })
      .catch((error: unknown) => this.isOn && onTrouble(error as Error));
  }
}
