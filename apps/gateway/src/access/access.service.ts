import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import {
  authAccess,
  authApiToken,
  authSession,
  gatewayActivity,
  type AccessView,
  type EventData,
} from '@carillon/contracts';
import { envelope, toRecord, type Bus, type BusBatch, type BusRecord, type FanoutConsumer } from '@carillon/messaging';
import { createLogger } from '@carillon/observability';
import { activityWriteMs, idleAtMostMs, type AccessToken } from '@carillon/tenancy';
import { BUS, CONFIG, Health } from '@carillon/service';
import type { GatewayConfig } from '../config.ts';
import { readRecord } from './feed.ts';

const log = createLogger('gateway');
/** An ended session is remembered longer than any token lives (auth.session.v1 keeps two days). */
const endedMs = 2 * 86_400_000;

/** What stands against a token that is genuine: a key of the catalogue, or undefined. */
export type Refusal =
  | 'common.tokenInvalid'
  | 'common.locked'
  | 'auth.passwordChangeRequired'
  | 'auth.accountLocked'
  | 'common.unavailable';

/**
 * Who may do what and which sessions live, in memory and always current: fan-out copies of auth's topics, read whole
 * before this gateway is ready. A change of rights, a logout and a lock count from the next request on.
 */
@Injectable()
export class AccessCopy implements OnModuleInit, OnApplicationShutdown {
  private readonly users = new Map<string, AccessView>();
  /** Developers' tokens by the hash of their text. */
  private readonly apiTokens = new Map<string, EventData<typeof authApiToken, 'apiToken'>>();
  private readonly ended = new Map<string, number>();
  private readonly locked = new Set<string>();
  /** Last activity by session, this gateway's own to the millisecond, the others' at most a minute late. */
  private readonly active = new Map<string, number>();
  private readonly written = new Map<string, number>();
  private readonly waiting = new Map<string, { at: number; companyId: string }>();
  private readonly listeners = new Set<() => void>();
  private feed: FanoutConsumer | undefined;
  private ready = false;
  private timers: NodeJS.Timeout[] = [];

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly health: Health,
  ) {}

  async onModuleInit(): Promise<void> {
    this.health.add('access', () =>
      this.fresh()
        ? null
        : this.ready
          ? 'the feed of sessions and rights is behind'
          : 'sessions and rights are being read',
    );
    this.feed = await this.bus.fanout({
      topics: [authAccess.name, authApiToken.name, authSession.name, gatewayActivity.name],
      from: 'start',
      handle: (batch) => {
        this.take(batch);
      },
    });
    void this.feed.caughtUp.then(() => {
      this.ready = true;
    });
    this.timers = [
      setInterval(() => {
        void this.writeActivity();
      }, 1_000),
      setInterval(() => {
        this.prune(Date.now());
      }, 60_000),
    ];
    for (const timer of this.timers) timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await this.writeActivity();
    await this.feed?.close();
  }

  /** Called after each change, for the streams that are open. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  user(userId: string): AccessView | undefined {
    return this.users.get(userId);
  }

  /** Whether a genuine token may be used now. A copy that may be old decides nothing: 503. */
  refusal(token: AccessToken, now = Date.now()): Refusal | undefined {
    if (!this.fresh(now)) return 'common.unavailable';
    const user = this.users.get(token.userId);
    if (
      !user ||
      user.status !== 'normal' ||
      user.companyId !== token.companyId ||
      token.issuedAt < user.tokensValidAfter
    )
      return 'common.tokenInvalid';
    if (this.ended.has(token.sessionId) || this.idle(token, now)) return 'common.tokenInvalid';
    if (this.locked.has(token.sessionId)) return 'common.locked';
    return user.mustChangePassword ? 'auth.passwordChangeRequired' : undefined;
  }

  /** A developer's token that may be used now, with who made it; a refusal otherwise (AUTH-17). */
  apiToken(
    hash: string,
    now = Date.now(),
  ): { token: EventData<typeof authApiToken, 'apiToken'>; user: AccessView } | Refusal {
    if (!this.fresh(now)) return 'common.unavailable';
    const token = this.apiTokens.get(hash);
    const user = token && this.users.get(token.userId);
    if (!token || token.expiresAt <= now || !user || user.status !== 'normal') return 'common.tokenInvalid';
    // The lock of an account is one for every door (docs/attack-cases.md, A4): a program waits it out like its maker's
    // next login.
    if ((user.lockedUntil ?? 0) > now) return 'auth.accountLocked';
    return user.mustChangePassword ? 'auth.passwordChangeRequired' : { token, user };
  }

  /**
   * A person did something. Told to the other gateways and to auth at most once a minute, sooner where sessions may be
   * idle for a few minutes only.
   */
  touch(token: AccessToken, now = Date.now()): void {
    this.active.set(token.sessionId, now);
    if (now - (this.written.get(token.sessionId) ?? 0) < activityWriteMs(this.config.idleSeconds)) return;
    this.written.set(token.sessionId, now);
    this.waiting.set(token.sessionId, { at: now, companyId: token.companyId });
  }

  /** This gateway saw the session end; the others hear of it over the bus. */
  end(sessionId: string, now = Date.now()): void {
    this.ended.set(sessionId, now);
    this.changed();
  }

  /** This gateway saw the session be locked or unlocked: the answer to it holds here at once. */
  lock(sessionId: string, locked: boolean): void {
    if (locked) this.locked.add(sessionId);
    else this.locked.delete(sessionId);
    this.changed();
  }

  /** This gateway saw somebody choose his own password. */
  passwordChanged(userId: string): void {
    const user = this.users.get(userId);
    if (user) this.users.set(userId, { ...user, mustChangePassword: false });
  }

  private fresh(now = Date.now()): boolean {
    return this.ready && this.feed !== undefined && now - this.feed.confirmedAt() <= this.config.feedSeconds * 1000;
  }

  private idle(token: AccessToken, now: number): boolean {
    const seen = this.active.get(token.sessionId) ?? 0;
    return now - Math.max(seen, token.activeAt) > this.config.idleSeconds * 1000;
  }

  private take({ topic, records }: BusBatch): void {
    for (const record of records) {
      if (topic === authAccess.name) this.takeAccess(record);
      else if (topic === authSession.name) this.takeSession(record);
      else if (topic === authApiToken.name) this.takeApiToken(record);
      else this.takeActivity(record);
    }
    if (topic !== gatewayActivity.name) this.changed();
  }

  private takeAccess(record: BusRecord): void {
    const message = readRecord(authAccess, record);
    if (message === 'unreadable' || message?.data === null) this.users.delete(record.key);
    else if (message) this.users.set(record.key, message.data!);
  }

  private takeApiToken(record: BusRecord): void {
    const message = readRecord(authApiToken, record);
    for (const [hash, { tokenId }] of this.apiTokens) if (tokenId === record.key) this.apiTokens.delete(hash);
    if (message && message !== 'unreadable' && message.data && !message.data.revoked)
      this.apiTokens.set(message.data.hash, message.data);
  }

  private takeSession(record: BusRecord): void {
    const message = readRecord(authSession, record);
    if (message === 'unreadable' || message?.type === 'ended') this.ended.set(record.key, record.timestamp);
    else if (message?.type === 'locked') this.locked.add(record.key);
    else if (message?.type === 'unlocked') this.locked.delete(record.key);
  }

  private takeActivity(record: BusRecord): void {
    const message = readRecord(gatewayActivity, record);
    if (message === 'unreadable' || !message?.data) return;
    const { sessionId, at } = message.data;
    if (at > (this.active.get(sessionId) ?? 0)) this.active.set(sessionId, at);
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  private async writeActivity(): Promise<void> {
    if (this.waiting.size === 0) return;
    const sessions = [...this.waiting];
    this.waiting.clear();
    try {
      await this.bus.publish(
        sessions.map(([sessionId, { at, companyId }]) =>
          toRecord(gatewayActivity, sessionId, { sessionId, at }, envelope('active', { companyId })),
        ),
      );
    } catch (err) {
      log.warn({ err }, 'activity was not written');
      // The next request of each tries again.
      for (const [sessionId] of sessions) this.written.delete(sessionId);
    }
  }

  private prune(now: number): void {
    const idleSince = now - idleAtMostMs(this.config.idleSeconds);
    for (const [id, at] of this.active) if (at < idleSince) this.active.delete(id);
    for (const [id, at] of this.written) if (at < idleSince) this.written.delete(id);
    for (const [id, at] of this.ended) {
      if (at > now - endedMs) continue;
      this.ended.delete(id);
      this.locked.delete(id);
    }
  }
}
