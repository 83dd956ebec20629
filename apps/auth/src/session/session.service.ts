import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { authSession } from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import { companySession, Database, platform, transaction, uuidv7 } from '@carillon/persistence';
import { createAccessToken, idleAtMostMs } from '@carillon/tenancy';
import { CONFIG } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { Visits, type OpenVisit } from '../support-access/visit.service.ts';
import type { sessionEnds } from './session.entity.ts';
import {
  findRefreshToken,
  holdSession,
  insertRefreshToken,
  insertSession,
  markAllEnded,
  markEnded,
  markExcessEnded,
  openSessions,
  useRefreshToken,
  type OpenSession,
} from './session.queries.ts';

export interface TokenPair {
  accessToken: string;
  refreshToken: string;
  /** In seconds. */
  expiresIn: number;
}

export interface Refreshed extends TokenPair {
  userId: string;
  companyId: string;
  /** Set while the session visits a customer's company. */
  visit: OpenVisit | undefined;
}

/**
 * Two tabs may refresh with one token at the same time: reuse within this time only fails and does not end the family.
 */
const reuseGraceMs = 10_000;
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Sessions and their token families (AUTH-07, AUTH-08). */
@Injectable()
export class SessionService {
  constructor(
    private readonly database: Database,
    private readonly visits: Visits,
    @Inject(CONFIG) private readonly config: AuthConfig,
  ) {}

  /** Starts a session. Runs inside the transaction of the login. */
  async start(
    user: { id: string; companyId: string },
    from: { address: string | null; browser: string | null },
    now: Date,
  ): Promise<TokenPair & { sessionId: string }> {
    const sessionId = uuidv7();
    await insertSession({
      id: sessionId,
      companyId: user.companyId,
      userId: user.id,
      now,
      address: from.address?.slice(0, 64) ?? null,
      browser: from.browser?.slice(0, 256) ?? null,
    });
    await this.publishEnds(user.id, await markExcessEnded(user.id, now, this.config.sessionsPerUser));
    return { sessionId, ...(await this.issue(user, sessionId, now, now)) };
  }

  /**
   * Returns a new pair for a refresh token, or undefined when the token is unknown, used or expired, its session has
   * ended, or its user may not log in now.
   */
  async refresh(
    refreshToken: string,
    now: Date,
    closed: (userId: string) => Promise<boolean>,
  ): Promise<Refreshed | undefined> {
    const hash = hashOf(refreshToken);
    const row = await platform(this.database, 'refresh: which company is this token of', async () => {
      const found = await findRefreshToken(hash);
      return found && !found.endedAt && !(await closed(found.userId)) ? found : undefined;
    });
    if (!row) return undefined;
    return transaction(this.database, companySession(row.companyId), async () => {
      const user = { id: row.userId, companyId: row.companyId };
      const lastActiveAt = new Date(row.lastActiveAt);
      const idleMs = now.getTime() - lastActiveAt.getTime();
      if (idleMs > idleAtMostMs(this.config.idleSeconds)) return this.refuse(row, now, 'idle');
      if (now.getTime() - Date.parse(row.sessionStartedAt) > this.config.sessionSeconds * 1000)
        return this.refuse(row, now, 'age');
      // The session is held until the pair is made, so a concurrent end of the session either waits or is seen here.
      if (!(await holdSession(row.sessionId))) return undefined;
      if (await useRefreshToken(hash, now)) {
        const visit = await this.visits.findOpen(row.sessionId);
        return {
          userId: row.userId,
          companyId: row.companyId,
          visit,
          ...(await this.issue(user, row.sessionId, now, lastActiveAt, visit)),
        };
      }
      if (row.usedAt && now.getTime() - Date.parse(row.usedAt) > reuseGraceMs) return this.refuse(row, now, 'reuse');
      return undefined;
    });
  }

  /**
   * Ends a session everywhere: the API gateways learn of it with the commit. Runs inside a transaction of its company.
   */
  async end(
    session: { sessionId: string; userId: string; companyId: string },
    now: Date,
    reason: (typeof sessionEnds)[number],
  ): Promise<void> {
    if (!(await markEnded(session.sessionId, now, reason))) return;
    await emit(
      authSession,
      'ended',
      session.sessionId,
      { sessionId: session.sessionId, userId: session.userId },
      { companyId: session.companyId },
    );
  }

  /**
   * Ends every session of a user except `but`, including idle ones that are no longer listed but have a usable refresh
   * token. Runs inside a transaction of the user's company.
   */
  async endAll(userId: string, now: Date, reason: (typeof sessionEnds)[number], but?: string | null): Promise<void> {
    await this.publishEnds(userId, await markAllEnded(userId, now, reason, but ?? null));
  }

  private async publishEnds(userId: string, sessions: readonly { id: string; companyId: string }[]): Promise<void> {
    for (const { id, companyId } of sessions)
      await emit(authSession, 'ended', id, { sessionId: id, userId }, { companyId });
  }

  /** Returns a user's sessions that a token can still use. */
  open(userId: string, now: Date): Promise<OpenSession[]> {
    return openSessions(userId, {
      active: new Date(now.getTime() - idleAtMostMs(this.config.idleSeconds)),
      started: new Date(now.getTime() - this.config.sessionSeconds * 1000),
    });
  }

  private async refuse(
    row: { sessionId: string; userId: string; companyId: string },
    now: Date,
    reason: 'idle' | 'age' | 'reuse',
  ): Promise<undefined> {
    await this.end(row, now, reason);
    return undefined;
  }

  private async issue(
    user: { id: string; companyId: string },
    sessionId: string,
    now: Date,
    activeAt: Date,
    visit?: OpenVisit,
  ): Promise<TokenPair> {
    const refreshToken = randomBytes(32).toString('base64url');
    await insertRefreshToken({
      companyId: user.companyId,
      sessionId,
      hash: hashOf(refreshToken),
      now,
      expiresAt: new Date(now.getTime() + this.config.refreshSeconds * 1000),
    });
    const accessToken = createAccessToken(
      {
        userId: visit?.visitId ?? user.id,
        companyId: visit?.customerId ?? user.companyId,
        sessionId,
        issuedAt: now.getTime(),
        expiresAt: now.getTime() + this.config.tokenSeconds * 1000,
        activeAt: activeAt.getTime(),
        ...(visit ? { visit: true as const } : {}),
      },
      this.config.tokenKey,
    );
    return { accessToken, refreshToken, expiresIn: this.config.tokenSeconds };
  }
}
