import type { Socket } from 'node:dgram';
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
  /** It could not load its files or call its URLs. */
  onTrouble: (error: Error) => void;
}

/** A phone over HTTP that stays on: it fetches its configuration and restarts when a SIP NOTIFY tells it to. */
export class HttpPhone {
  private readonly options: HttpPhoneOptions;
  private socket: Socket | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private readonly seen = new Set<string>();
  file: ProvisionedFile | undefined;
  /** Lines that do not register when it starts. */
  failing: readonly number[] = [];

  constructor(options: HttpPhoneOptions) {
    this.options = options;
    this.file = options.kept;
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
    const { file, ...start } = await bootOverHttp(folder, this.phone);
    this.keep(file);
    return start;
  }

  private get phone(): Provisioned {
    return { ...this.options.phone, kept: this.file, failing: this.failing };
  }

  private keep(file: ProvisionedFile | undefined): void {
    if (file === undefined || file === this.file) return;
    this.file = file;
    this.options.onFile?.(file);
  }

  private take(datagram: string, from: { address: string; port: number }): void {
    const { phone, folder, restartMs, onTrouble } = this.options;
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
        if (effect === 'fetch') return this.keep((await fetchOverHttp(folder, this.phone)).file);
        await new Promise((resolve) => setTimeout(resolve, restartMs));
        if (this.socket) await this.boot();
      })
      .catch((error: unknown) => onTrouble(error as Error));
  }
}
