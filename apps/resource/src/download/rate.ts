import { createLogger } from '@carillon/observability';
import { blockBytes } from './blocks.ts';
import type { Bytes } from './own-bytes.ts';

const log = createLogger('download');
/** Most unused bandwidth held here, as time: no burst is longer. */
const heldMs = 200;
/** Within this time every waiting download gets a part, as long as parts can be made smaller. */
const roundMs = 5_000;
const leastBytes = 1_024;

/** A site's limit in Mbit/s. */
export interface SiteLimit {
  siteId: string;
  mbit: number;
}
/** Uses up to `most` bytes, and returns the used number; 0: the download has ended. */
export type Go = (most: number) => number;

/** State of a limit in this process. */
class Bucket {
  /** Bytes that may be sent; below 0: they were sent on credit. */
  credit = 0;
  /** Number of downloads under the limit. */
  downloads = 0;
  perMs = 0;
  /** Since the last request: bytes sent, downloads that took or wanted some, and whether one did in vain. */
  private sent = 0;
  private readonly seen = new Set<Share>();
  private isShort = false;

  constructor(
    readonly key: string,
    mbit: number,
  ) {
    this.limitTo(mbit);
  }

  limitTo(mbit: number): void {
    this.perMs = (mbit * 1_000_000) / 8 / 1_000;
  }

  took(share: Share, bytes: number): void {
    this.credit -= bytes;
    this.sent += bytes;
    this.seen.add(share);
  }

  wanted(share: Share): void {
    this.seen.add(share);
    this.isShort ||= this.credit <= 0;
  }

  /** Returns the next request. If nobody waited, not much more than was sent: the rest is for other processes. */
  next(): { key: string; perMs: number; downloads: number; bytes: number } {
    const most = this.perMs * heldMs;
    const bytes = Math.max(0, (this.isShort ? most : Math.min(most, 2 * this.sent)) - this.credit);
    const wanted = { key: this.key, perMs: this.perMs, downloads: Math.max(1, this.seen.size), bytes };
    this.sent = 0;
    this.seen.clear();
    this.isShort = false;
    return wanted;
  }

  /** Drops unused bytes; a debt stays. */
  rest(): void {
    this.credit = Math.min(this.credit, 0);
  }
}

/** One download's share of the bandwidth. */
export class Share {
  /** The waiting call. */
  go: Go | undefined;
  hasBegun = false;

  constructor(
    private readonly rate: Rate,
    public site: Bucket | undefined,
  ) {}

  /** Runs `go` as soon as the limits allow it; at most one at a time. */
  take(go: Go): void {
    this.rate.take(this, go);
  }
  /** Applies a changed site or limit. A waiting download follows it at the next distribution. */
  move(limit: SiteLimit | undefined): void {
    this.rate.move(this, limit);
  }
  leave(): void {
    this.rate.leave(this);
  }
}

/**
 * The bandwidth of downloads, limited by the installation and by sites; a download takes from both. Waiting downloads
 * are served in turn, alternating with new ones, so that a new one begins at once however many wait. While any wait,
 * none of them could be served: a download with credit is served without looking at others.
 */
export class Rate {
  private readonly all: Bucket | undefined;
  private readonly sites = new Map<string, Bucket>();
  private readonly first = new Set<Share>();
  private readonly again = new Set<Share>();
  private timer: NodeJS.Timeout | undefined;
  private asking: Promise<void> | undefined;

  /** `mbit` is the installation's limit; 0 is none. */
  constructor(
    private readonly bytes: Bytes,
    mbit: number,
  ) {
    if (mbit > 0) this.all = new Bucket('all', mbit);
  }

  join(limit: SiteLimit | undefined): Share {
    const share = new Share(this, this.siteOf(limit));
    if (this.all) this.all.downloads++;
    return share;
  }

  /** Ends all waiting. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.asking;
    await this.bytes.close();
  }

  /** Shows other processes that this one is alive. */
  async show(): Promise<void> {
    await this.bytes.lease([]);
  }

  move(share: Share, limit: SiteLimit | undefined): void {
    const before = share.site;
    share.site = this.siteOf(limit);
    if (before) before.downloads--;
  }

  leave(share: Share): void {
    this.first.delete(share);
    this.again.delete(share);
    if (this.all) this.all.downloads--;
    if (share.site) share.site.downloads--;
  }

  take(share: Share, go: Go): void {
    if (this.isReady(share)) {
      this.serve(share, go);
      return;
    }
    share.go = go;
    (share.hasBegun ? this.again : this.first).add(share);
    this.note(share);
    if (this.timer) return;
    this.timer = setInterval(() => this.ask(), this.bytes.everyMs).unref();
    this.ask();
  }

  private siteOf(limit: SiteLimit | undefined): Bucket | undefined {
    if (!limit) return undefined;
    const key = `site:${limit.siteId}`;
    const site = this.sites.get(key) ?? new Bucket(key, limit.mbit);
    this.sites.set(key, site);
    site.limitTo(limit.mbit);
    site.downloads++;
    return site;
  }

  private isReady({ site }: Share): boolean {
    return (!site || site.credit > 0) && (!this.all || this.all.credit > 0);
  }

  /** Registers a waiting download: at its site's limit or, when that allows it, at the installation's. */
  private note(share: Share): void {
    const { site } = share;
    site?.wanted(share);
    if (!site || site.credit > 0) this.all?.wanted(share);
  }

  private serve(share: Share, go: Go): void {
    const limits = [share.site, this.all].filter((one) => one !== undefined);
    const most = limits.reduce(
      (bytes, { perMs, downloads }) => Math.min(bytes, Math.max(leastBytes, Math.floor((perMs * roundMs) / downloads))),
      blockBytes,
    );
    // Before `go`, which may request more from within.
    for (const limit of limits) limit.took(share, most);
    const used = go(most);
    for (const limit of limits) limit.took(share, used - most);
    share.hasBegun ||= used > 0;
  }

  /** Alternates between new and other downloads, as long as any can be served. */
  private serveAll(): void {
    const turns = [this.first, this.again].map((shares) => ({ of: shares, at: shares.values() }));
    for (let goesOn = true; goesOn;) goesOn = turns.map(({ of, at }) => this.serveNext(of, at)).includes(true);
  }

  private serveNext(shares: Set<Share>, at: Iterator<Share>): boolean {
    for (let one = at.next(); !one.done; one = at.next()) {
      const share = one.value;
      if (!this.isReady(share)) {
        this.note(share);
        continue;
      }
      shares.delete(share);
      this.serve(share, share.go!);
      return true;
    }
    return false;
  }

  private ask(): void {
    this.asking ??= this.deal()
      .catch((err: unknown) => log.warn({ err }, 'bandwidth could not be asked for'))
      .finally(() => {
        this.asking = undefined;
      });
  }

  private async deal(): Promise<void> {
    const limits = [...this.sites.values(), ...(this.all ? [this.all] : [])];
    const asked = limits.map((limit) => ({ limit, wanted: limit.next() })).filter(({ wanted }) => wanted.bytes > 0);
    if (asked.length > 0) {
      const got = await this.bytes.lease(asked.map(({ wanted }) => wanted));
      for (const [i, { limit }] of asked.entries()) limit.credit += got[i]!;
    }
    for (const [key, site] of this.sites) if (site.downloads === 0 && site.credit >= 0) this.sites.delete(key);
    this.serveAll();
    if (asked.length > 0 || this.first.size + this.again.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
    for (const limit of limits) limit.rest();
  }
}
