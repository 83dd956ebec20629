import { createLogger } from '@carillon/observability';
import { blockBytes } from './blocks.ts';
import type { Bytes } from './own-bytes.ts';

const log = createLogger('download');
/** So much of a limit, as time, waits here at most: no burst is longer. */
const heldMs = 200;
/** Within this time everybody who waits has had a part, as long as parts can be made smaller. */
const roundMs = 5_000;
const leastBytes = 1_024;

/** A site's limit, Mbit a second. */
export interface SiteLimit {
  siteId: string;
  mbit: number;
}
/** May use up to so many bytes, and answers how many it used; 0: it has gone meanwhile. */
export type Go = (most: number) => number;

/** What is known here of a limit. */
class Bucket {
  /** Bytes that may go out; below 0: they have gone out on credit. */
  credit = 0;
  /** Downloads that it holds for. */
  downloads = 0;
  perMs = 0;
  /** Since bytes were asked for last: what went out, who took or wanted some, and whether somebody did in vain. */
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

  /** What it asks for. Where nobody waited, not much more than what went out: the rest is for other processes. */
  next(): { key: string; perMs: number; downloads: number; bytes: number } {
    const most = this.perMs * heldMs;
    const bytes = Math.max(0, (this.isShort ? most : Math.min(most, 2 * this.sent)) - this.credit);
    const wanted = { key: this.key, perMs: this.perMs, downloads: Math.max(1, this.seen.size), bytes };
    this.sent = 0;
    this.seen.clear();
    this.isShort = false;
    return wanted;
  }

  /** What nobody took is not kept for later; what went out on credit is not forgotten. */
  rest(): void {
    this.credit = Math.min(this.credit, 0);
  }
}

/** The part that one download has of the bandwidth. */
export class Share {
  /** What waits for its turn. */
  go: Go | undefined;
  hasBegun = false;

  constructor(
    private readonly rate: Rate,
    public site: Bucket | undefined,
  ) {}

  /** Goes as soon as its limits allow it; at most one at a time. */
  take(go: Go): void {
    this.rate.take(this, go);
  }
  /** Its device is at another site now, or that has another limit. Who waits goes by that when bytes are dealt next. */
  move(limit: SiteLimit | undefined): void {
    this.rate.move(this, limit);
  }
  leave(): void {
    this.rate.leave(this);
  }
}

/**
 * The bandwidth of downloads: that of the installation and that of sites. A download takes from both. Those who wait
 * are served in turn, and in between those whose first bytes these are, so that a new one begins at once however many
 * wait.
 * While any wait, none of them could go: what has credit goes without a look at the others.
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

  /** Nobody waits any more. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.asking;
    await this.bytes.close();
  }

  /** Other processes see that this one is there. */
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

  /** It waits: at its site's limit, or, where that lets it go, at the installation's. */
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
    // Before it goes: it may come back for more from within.
    for (const limit of limits) limit.took(share, most);
    const used = go(most);
    for (const limit of limits) limit.took(share, used - most);
    share.hasBegun ||= used > 0;
  }

  /** One of the first, one of the others, as long as any of them can go. */
  private serveAll(): void {
    const turns = [this.first, this.again].map((of) => ({ of, at: of.values() }));
    for (let goesOn = true; goesOn;) goesOn = turns.map(({ of, at }) => this.serveNext(of, at)).includes(true);
  }

  private serveNext(of: Set<Share>, at: Iterator<Share>): boolean {
    for (let one = at.next(); !one.done; one = at.next()) {
      const share = one.value;
      if (!this.isReady(share)) {
        this.note(share);
        continue;
      }
      of.delete(share);
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
