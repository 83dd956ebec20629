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
/** Ended sessions are kept longer than any token lives (auth.session.v1 keeps two days). */
const endedMs = 2 * 86_400_000;

type VisitData = EventData<typeof authVisit, 'visit'>;
/** A user, or a visitor in a customer's company. */
export type Caller = AccessView & { visit?: VisitData & { username: string } };

/** An API token with the user who made it. */
export interface Program {
  token: EventData<typeof authApiToken, 'apiToken'>;
  user: AccessView;
}

/** After this time a visit has arrived here, or it does not exist. */
const hearsWithinMs = 5_000;

/** Why a genuine token is refused: an error key of the catalogue, or undefined. */
export type Refusal =
  | 'common.tokenInvalid'
  | 'common.locked'
  | 'auth.passwordChangeRequired'
  | 'auth.accountLocked'
  | 'supportAccess.ended'
  | 'common.unavailable';

/**
 * Users' permissions and live sessions, in memory and always current: fan-out copies of auth's topics, read completely
 * before this gateway is ready. Changes of permissions, logouts and locks apply from the next request on.
 */
@Injectable()
export class AccessCopy implements OnModuleInit, OnApplicationShutdown {
  private readonly users = new Map<string, AccessView>();
  /** API tokens by the hash of their text. */
  private readonly apiTokens = new Map<string, Program['token']>();
  /** Includes ended visits, whose tokens get their own error. */
  private readonly visits = new Map<string, VisitData>();
  private readonly ended = new Map<string, number>();
  private readonly locked = new Set<string>();
  /** Last activity by session: this gateway's own exactly, the others' up to a minute late. */
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

  /** Registers a listener that is called after each change, for open streams. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Returns a user or visitor; undefined when the visit has ended. */
  user(userId: string, now = Date.now()): Caller | undefined {
    return this.users.get(userId) ?? this.visitor(userId, now);
  }

  /**
   * Returns a visitor of a customer's company: with the permissions that visitor and host share, at the granted level,
   * and the host's organizations; while both still have the permission for it (CHN-07).
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
      countryId: visitor.countryId,
      tokensValidAfter: visitor.tokensValidAfter,
      visit: { ...visit, username: visitor.username },
    };
  }

  /** Returns why a genuine token may not be used now. An outdated copy must not decide: it answers 503. */
  refusal(token: AccessToken, now = Date.now()): Refusal | undefined {
    if (!this.fresh(now)) return 'common.unavailable';
    const visit = token.visit ? this.visits.get(token.userId) : undefined;
    // The token may arrive before this gateway has read the visit.
    if (token.visit && !visit && now - token.issuedAt < hearsWithinMs) return 'common.unavailable';
    // A visitor is logged in to their own company, so whatever ends that login ends the visit.
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

  /** Returns a usable API token with its maker, or the reason for a refusal (AUTH-17). */
  apiToken(hash: string, now = Date.now()): Program | Refusal {
    if (!this.fresh(now)) return 'common.unavailable';
    const valid = this.validApiToken(hash, now);
    if (!valid) return 'common.tokenInvalid';
    const { token, user } = valid;
    // An account's lock applies to every way in (docs/attack-cases.md, A4): programs wait for its end like their
    // maker's next login.
    if ((user.lockedUntil ?? 0) > now) return 'auth.accountLocked';
    return user.mustChangePassword ? 'auth.passwordChangeRequired' : { token, user };
  }

  /** Returns an API token that is neither expired nor revoked, with its maker, even while the maker may not log in. */
  validApiToken(hash: string, now = Date.now()): Program | undefined {
    const token = this.apiTokens.get(hash);
    const user = token && this.users.get(token.userId);
    return token && token.expiresAt > now && user?.status === 'normal' ? { token, user } : undefined;
  }

  /**
   * Records a user's activity. Publishes it to the other gateways and to auth at most once a minute, more often when
   * sessions may idle for a few minutes only.
   */
  touch(token: AccessToken, now = Date.now()): void {
    this.active.set(token.sessionId, now);
    if (now - (this.written.get(token.sessionId) ?? 0) < activityWriteMs(this.config.idleSeconds)) return;
    this.written.set(token.sessionId, now);
    // The session belongs to its own company, also while it visits a customer's.
    const companyId = this.visits.get(token.userId)?.hostCompanyId ?? token.companyId;
    this.waiting.set(token.sessionId, { at: now, companyId });
  }

  /** Ends a session here at once; the others learn of it over the bus. */
  end(sessionId: string, now = Date.now()): void {
    this.ended.set(sessionId, now);
    this.changed();
  }

  /** Locks or unlocks a session here at once, as soon as the answer has passed. */
  lock(sessionId: string, locked: boolean): void {
    if (locked) this.locked.add(sessionId);
    else this.locked.delete(sessionId);
    this.changed();
  }

  /** Applies a password change that passed through this gateway. */
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
      // The next request of each session tries again.
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
