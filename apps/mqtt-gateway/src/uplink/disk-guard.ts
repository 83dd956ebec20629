import { statfs } from 'node:fs/promises';
import type { Bus, Disk } from '@carillon/messaging';
import type { Log } from '../log.ts';

/** At the largest budgets of a company a second writes a few megabytes; the reserve is thousands of times that. */
const everyMs = 1_000;

/**
 * Checks whether the disk has room for messages of devices. A full disk stops everything, and repairing the database
 * needs some room. So devices get no acknowledgement once only the reserve is left, and keep their messages, while
 * users can go on.
 */
export class DiskGuard {
  disks: readonly Disk[] = [];
  private timer: NodeJS.Timeout | null = null;
  private looking = false;
  private wasFull = false;
  private silent = false;

  constructor(
    private readonly bus: Pick<Bus, 'disks'>,
    private readonly settings: { diskFolder: string; diskReservePercent: number },
    private readonly log: Log,
  ) {}

  async start(): Promise<void> {
    if (this.settings.diskReservePercent === 0) return;
    await this.look();
    this.timer = setInterval(() => void this.look(), everyMs);
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  /** Returns how many bytes of a disk must stay free. */
  reserveOf({ totalBytes }: Disk): number {
    return Math.round((totalBytes * this.settings.diskReservePercent) / 100);
  }

  /** The first disk that has only its reserve left, or undefined. */
  get full(): Disk | undefined {
    return this.disks.find((disk) => disk.freeBytes < this.reserveOf(disk));
  }

  /** A disk that does not answer keeps its last state: a store that is away cannot be written to either. */
  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      this.disks = [...(await this.folder()), ...(await this.bus.disks())];
      this.silent = false;
    } catch (error) {
      if (!this.silent) this.log.warn({ err: error }, 'how full the disk of the bus is cannot be seen');
      this.silent = true;
    } finally {
      this.looking = false;
    }
    const { full } = this;
    if (full !== undefined && !this.wasFull)
      this.log.error({ ...full, reserveBytes: this.reserveOf(full) }, 'disk nearly full, devices are not acknowledged');
    if (full === undefined && this.wasFull) this.log.info({ disks: this.disks }, 'disk has room again');
    this.wasFull = full !== undefined;
  }

  private async folder(): Promise<Disk[]> {
    const { diskFolder } = this.settings;
    if (diskFolder === '') return [];
    const { bavail, blocks, bsize } = await statfs(diskFolder);
    return [{ name: diskFolder, freeBytes: bavail * bsize, totalBytes: blocks * bsize }];
  }
}
