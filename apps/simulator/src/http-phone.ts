import type { Socket } from 'node:dgram';
import { loadImage, loadResources } from './http-firmware.ts';
import { readNotify } from './notify.ts';
import { bootOverHttp, fetchOverHttp, type ProvisionedFile, type Provisioned, type Start } from './provisioned.ts';

export interface HttpPhoneOptions {
  /** Where it asks for its files. */
  folder: string;
  phone: Omit<Provisioned, 'kept' | 'failing'>;
  kept?: ProvisionedFile | undefined;
  /** UDP port for SIP at its address. */
  sipPort: number;
  /** Duration of a restart, in milliseconds. */
  restartMs: number;
  /** It has other values now. */
  onFile?: (file: ProvisionedFile) => void;
  /** It runs another firmware now. */
  onFirmware?: (version: string) => void;
  /** It could not load its files or call its URLs. */
  onTrouble: (error: Error) => void;
}

/** A phone over HTTP that stays on: it fetches its configuration and restarts when a SIP NOTIFY tells it to. */
export class HttpPhone {
  private readonly options: HttpPhoneOptions;
  private socket: Socket | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private readonly seen = new Set<string>();
  private readonly tried = new Set<string>();
  file: ProvisionedFile | undefined;
  /** The version that it runs. */
  firmware: string;
  /** Names of the resource files that it loaded. */
  readonly resources: string[] = [];
  /** Lines that do not register when it starts. */
  failing: readonly number[] = [];

  constructor(options: HttpPhoneOptions) {
    this.options = options;
    this.file = options.kept;
    this.firmware = options.phone.firmware;
  }

  /** Switches it on. */
  async start(): Promise<Start> {
    const { phone, sipPort } = this.options;
    // Not imported: only phones that listen need it.
    const socket = process.getBuiltinModule('node:dgram').createSocket('udp4');
    this.socket = socket;
    socket.on('message', (message, from) => this.take(message.toString(), from));
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject).bind(sipPort, phone.from, resolve);
    });
    return this.boot();
  }

  /** Switches it off. */
  async stop(): Promise<void> {
    const { socket } = this;
    this.socket = undefined;
    if (socket) await new Promise<void>((resolve) => socket.close(() => resolve()));
    await this.last;
  }

  private async boot(): Promise<Start> {
    const { folder } = this.options;
    const { file, image, ...start } = await bootOverHttp(folder, this.phone);
    this.keep(file);
    return (await this.upgrade(image, true)) ?? start;
  }

  /** Fetches its configuration, and what this tells it to load. */
  private async fetch(): Promise<void> {
    const { file, image } = await fetchOverHttp(this.options.folder, this.phone);
    this.keep(file);
    await this.upgrade(image, false);
  }

  /** Loads what its files name, and restarts with an image. Returns how it started; undefined without an image. */
  private async upgrade(named: string | undefined, started: boolean): Promise<Start | undefined> {
    const upgradable = { phone: this.phone, kept: this.file, named, started };
    this.resources.push(...(await loadResources(upgradable, this.tried)));
    const version = await loadImage(upgradable, this.tried);
    if (version === undefined) return undefined;
    this.firmware = version;
    this.options.onFirmware?.(version);
    return this.restart();
  }

  private async restart(): Promise<Start | undefined> {
    await new Promise((resolve) => setTimeout(resolve, this.options.restartMs));
    return this.socket ? this.boot() : undefined;
  }

  private get phone(): Provisioned {
    return { ...this.options.phone, firmware: this.firmware, kept: this.file, failing: this.failing };
  }

  private keep(file: ProvisionedFile | undefined): void {
    if (file === undefined || file === this.file) return;
    this.file = file;
    this.options.onFile?.(file);
  }

  private take(datagram: string, from: { address: string; port: number }): void {
    const { phone, onTrouble } = this.options;
    const notified = readNotify(datagram, phone.model.vendor, this.file?.values ?? {});
    if (!notified || !this.socket) return;
    this.socket.send(notified.answer, from.port, from.address);
    const call = /^call-id:.*$/im.exec(datagram)?.[0] ?? '';
    // A repeated datagram is answered again, and not done again.
    if (notified.effect === null || this.seen.has(call)) return;
    this.seen.add(call);
    const { effect } = notified;
    this.last = this.last
      .then(async () => {
        await (effect === 'fetch' ? this.fetch() : this.restart());
      })
      .catch((error: unknown) => onTrouble(error as Error));
  }
}
