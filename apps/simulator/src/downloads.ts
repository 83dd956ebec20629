import type { DeviceAnswer, DeviceBody, DeviceResource } from '@carillon/actions/device';
import { deltaFormat, loadDelta, loadFile, loadFiles, loadSignedFile, type LoadOptions } from '@carillon/device-sdk';
import type { Images } from './images.ts';
import type { KeptResource, Ledger } from './ledger.ts';

export type Answer = (answer: DeviceAnswer) => Promise<void>;
export type DeviceFile = Parameters<DeviceBody['read']>[0];

/** Room for resources, in bytes. */
const roomBytes = 16_777_216;

interface DownloadOptions {
  ledger: Ledger;
  images: Images;
  localAddress?: string | undefined;
  /** Download rate in kbit/s; unlimited when 0. */
  loadKbit: number;
}
interface DownloadState {
  /** Returns the SHA-256 of the image that a differential package can be applied to, if there is one. */
  base(): string | null;
  /** Returns whether each download arrives with a wrong checksum. */
  isBroken(): boolean;
}

/** The downloads of a simulated device: firmware, resource files and configurations. */
export class Downloads {
  /** SHA-256 of the image that was loaded last. */
  image: string | null = null;
  private readonly mac: string;
  private readonly options: DownloadOptions;
  private readonly state: DownloadState;
  private running: AbortController[] = [];

  constructor(mac: string, options: DownloadOptions, state: DownloadState) {
    this.mac = mac;
    this.options = options;
    this.state = state;
  }

  /** Loads a firmware image, from a differential package when one can be applied. */
  firmware(
    file: Parameters<DeviceBody['load']>[0],
    version: string,
    delta: Parameters<DeviceBody['load']>[2],
    answer: Answer,
  ): ReturnType<DeviceBody['load']> {
    const { mac } = this;
    const { ledger, images } = this.options;
    const pinned = { read: () => ledger.keptBy(mac).key ?? null, write: (key: string) => ledger.keep(mac, { key }) };
    return this.loaded(answer, async (options) => {
      this.image = null;
      const base = this.state.base();
      if (delta?.format === 'maker') {
        // The content of a maker's package is opaque to the platform.
        if ((await loadSignedFile(delta, version, pinned, options)) === null) return null;
      } else if (delta?.format === deltaFormat && base !== null && images.has(base)) {
        const wrong = await images.keep(file, (sink) =>
          images.using(base, (old) => loadDelta(delta, file, version, old, pinned, { ...options, sink })),
        );
        if (wrong === null) {
          this.image = file.sha256;
          return null;
        }
      }
      const wrong = await images.keep(file, (sink) => loadSignedFile(file, version, pinned, { ...options, sink }));
      if (wrong === null) this.image = file.sha256;
      return wrong;
    });
  }

  /** Loads the files of a resource. Returns `space` when they do not fit beside the other resources of the device. */
  resource(
    { kind, name, files }: DeviceResource,
    kept: readonly KeptResource[],
    answer: Answer,
  ): ReturnType<DeviceBody['loadAll']> {
    const sizeOf = (parts: readonly { size: number }[]) => parts.reduce((sum, { size }) => sum + size, 0);
    const others = kept.filter((other) => other.kind !== kind || other.name !== name);
    if (sizeOf(files) + sizeOf(others.flatMap((other) => other.files)) > roomBytes) return Promise.resolve('space');
    return this.loaded(answer, (options) => loadFiles(files, options));
  }

  /** Loads a text. */
  async text(file: DeviceFile, answer: Answer): ReturnType<DeviceBody['read']> {
    let parts: Buffer[] = [];
    const sink = { begin: () => void (parts = []), write: (bytes: Buffer) => void parts.push(Buffer.from(bytes)) };
    const wrong = await this.loaded(answer, (options) => loadFile(file, { ...options, sink }));
    return wrong === null ? { text: Buffer.concat(parts).toString() } : { wrong };
  }

  /** Breaks off every download, as when the device goes down. */
  stop(): void {
    for (const ending of this.running) ending.abort();
  }

  private async loaded<Wrong>(
    answer: Answer,
    load: (options: LoadOptions) => Promise<Wrong>,
  ): Promise<Wrong | 'checksum' | null> {
    const { loadKbit, localAddress } = this.options;
    const ending = new AbortController();
    this.running.push(ending);
    try {
      const wrong = await load({
        signal: ending.signal,
        localAddress,
        bytesPerSecond: loadKbit * 125,
        progress: (progress) => void answer({ status: 'progress', progress }),
      });
      return wrong ?? (this.state.isBroken() ? 'checksum' : null);
    } catch (error) {
      // The device went down, so this command is not resumed.
      if (ending.signal.aborted) return new Promise(() => undefined);
      throw error;
    } finally {
      this.running = this.running.filter((other) => other !== ending);
    }
  }
}
