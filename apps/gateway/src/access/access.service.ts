import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import {
  authAccess,
  authApiToken,
  authSession,
  authVisit,
  visitorRights,
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

type VisitData = EventData<typeof authVisit, 'visit'>;
/** A user, or who has entered a customer's company. */
export type Caller = AccessView & { visit?: VisitData & { username: string } };

/** A visit that began longer ago is known here, or there is none. */
const hearsWithinMs = 5_000;

/** What stands against a token that is genuine: a key of the catalogue, or undefined. */
export type Refusal =
  | 'common.tokenInvalid'
  | 'common.locked'
  | 'auth.passwordChangeRequired'
  | 'auth.accountLocked'
  | 'supportAccess.ended'
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
  /** Also those that are over: their tokens are told so. */
  private readonly visits = new Map<string, VisitData>();
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
      topics: [authAccess.name, authApiToken.name, authSession.name, authVisit.name, gatewayActivity.name],
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

  /** Of a visit that is over: undefined. */
  user(userId: string, now = Date.now()): Caller | undefined {
    return this.users.get(userId) ?? this.visitor(userId, now);
  }

  /**
   * Who has entered a customer's company has what their rights and those of who allowed it have in common, at the level
   * that was allowed, and sees the same organizations; as long as both may still do so (CHN-07).
   */
  private visitor(visitId: string, now: number): Caller | undefined {
    const visit = this.visits.get(visitId);
    if (!visit || visit.ended || visit.until <= now) return undefined;
    const [visitor, host] = [this.users.get(visit.userId), this.users.get(visit.allowedById)];
    if (visitor?.status !== 'normal' || !visitor.permissions.includes('enterChannel')) return undefined;
    if (host?.status !== 'normal' || !host.permissions.includes('addSupportAccess')) return undefined;
    return {
      ...host,
      userId: visitId,
      username: `${visitor.username} (${visit.hostCompany})`.slice(0, 128),
      nickname: visitor.nickname,
      accountType: visitor.accountType,
      roleIds: [],
      permissions: visitorRights(visitor.permissions, host.permissions, visit.level),
      language: visitor.language,
      timezoneId: visitor.timezoneId,
      tokensValidAfter: visitor.tokensValidAfter,
      visit: { ...visit, username: visitor.username },
    };
  }

  /** Whether a genuine token may be used now. A copy that may be old decides nothing: 503. */
  refusal(token: AccessToken, now = Date.now()): Refusal | undefined {
    if (!this.fresh(now)) return 'common.unavailable';
    const visit = token.visit ? this.visits.get(token.userId) : undefined;
    // Its token is there before this gateway has heard of it.
    if (token.visit && !visit && now - token.issuedAt < hearsWithinMs) return 'common.unavailable';
    // Whoever visits is logged in to their own company: what ends that ends this.
    const user = this.users.get(visit?.userId ?? token.userId);
    if (
      !user ||
      user.status !== 'normal' ||
      (visit?.companyId ?? user.companyId) !== token.companyId ||
      (visit !== undefined && visit.sessionId !== token.sessionId) ||
      token.issuedAt < user.tokensValidAfter
    )
      return 'common.tokenInvalid';
    if (this.ended.has(token.sessionId) || this.idle(token, now)) return 'common.tokenInvalid';
    if (this.locked.has(token.sessionId)) return 'common.locked';
    if (user.mustChangePassword) return 'auth.passwordChangeRequired';
    return visit && !this.visitor(token.userId, now) ? 'supportAccess.ended' : undefined;
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
    // The session is one of the own company, also while it is in a customer's.
    const companyId = this.visits.get(token.userId)?.hostCompanyId ?? token.companyId;
    this.waiting.set(token.sessionId, { at: now, companyId });
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
      else if (topic === authVisit.name) this.takeVisit(record);
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

  private takeVisit(record: BusRecord): void {
    const message = readRecord(authVisit, record);
    if (message === 'unreadable' || message?.data === null) this.visits.delete(record.key);
    else if (message) this.visits.set(record.key, message.data!);
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
