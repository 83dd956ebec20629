import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  clearCache,
  endSessions,
  getCache,
  listSessions,
  lockSession,
  logout,
  logoutWithLogs,
  unlockSession,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { createLogger } from '@carillon/observability';
import { currentDatabase, platform } from '@carillon/persistence';
import { context, cookieNames } from '@carillon/tenancy';
import { CONFIG, auditNote, Failure, found, Handle, MinuteLimit } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { cookie, secure } from '../login/login.controller.ts';
import { accessChanged } from '../user/access.publisher.ts';
import { organizationsOf, emitUserEntry } from '../user/user-entry.ts';
import { accessVersion } from '../user/user.queries.ts';
import { browserOf } from './browser.ts';
import { LockService } from './lock.service.ts';
import { SessionService } from './session.service.ts';

const log = createLogger('browser');
/** Most errors of one user's browsers that are logged in a minute, like those of `reportErrors`. */
const errorsPerMinute = 200;

@Controller()
export class SessionController {
  private readonly browserErrors = new MinuteLimit(errorsPerMinute, 10_000);

  constructor(
    private readonly sessions: SessionService,
    private readonly locks: LockService,
    @Inject(CONFIG) private readonly config: AuthConfig,
  ) {}

  @Handle(logout)
  async logout(
    _: RouteInput<typeof logout>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<null> {
    auditNote({ objectId: await this.end(request, reply), orgIds: await organizationsOf([context().userId!]) });
    return null;
  }

  /**
   * Writes each error of the browser as a line of the server's log, where it can be found (AUTH-15). Drops errors above
   * the limit (SYS-05), because a log-out must not fail.
   */
  @Handle(logoutWithLogs)
  async logoutWithLogs(
    { body }: RouteInput<typeof logoutWithLogs>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<null> {
    // The query may contain a code or a token.
    const { userId } = context();
    for (const entry of body?.logs ?? [])
      if (this.browserErrors.take(userId!))
        log.warn({ userId, entry: { ...entry, url: entry.url.split('?')[0] } }, 'error in a browser');
    await emitUserEntry(userId!, 'session.logout', 'success', { objectId: await this.end(request, reply) });
    return null;
  }

  /** Publishes the caller's permissions again: they are the only data of a user that other processes cache. */
  @Handle(clearCache)
  async clearCache(): Promise<null> {
    const { userId } = context();
    await accessChanged([userId!]);
    auditNote({ orgIds: await organizationsOf([userId!]) });
    return null;
  }

  @Handle(getCache)
  async cache(): Promise<RouteReturn<typeof getCache>> {
    return found(await accessVersion(context().userId!));
  }

  @Handle(lockSession)
  async lock({ body }: RouteInput<typeof lockSession>): Promise<null> {
    await this.locks.lock(body.password);
    auditNote({ objectId: context().sessionId!, orgIds: await organizationsOf([context().userId!]) });
    return null;
  }

  @Handle(unlockSession)
  async unlock({ body }: RouteInput<typeof unlockSession>): Promise<null> {
    await this.locks.unlock(body.password);
    return null;
  }

  @Handle(listSessions)
  async list(): Promise<RouteReturn<typeof listSessions>> {
    const { userId, sessionId } = context();
    return (await this.sessions.open(userId!, new Date())).map((s) => ({
      ...s,
      ...browserOf(s.browser),
      current: s.id === sessionId,
    }));
  }

  /** Ends sessions of the caller. Another user's session, even of the same company, is not found. */
  @Handle(endSessions)
  async endOwn({ body }: RouteInput<typeof endSessions>): Promise<RouteReturn<typeof endSessions>> {
    const { userId, sessionId, companyId } = context();
    const open = (await this.sessions.open(userId!, new Date())).map((s) => s.id);
    const ids = 'ids' in body ? [...new Set(body.ids)] : open.filter((id) => id !== sessionId);
    if (ids.some((id) => !open.includes(id))) throw new Failure('common.notFound');
    for (const id of ids) await this.sessions.end({ sessionId: id, userId: userId!, companyId }, new Date(), 'ended');
    auditNote({ detail: { ids }, orgIds: await organizationsOf([userId!]) });
    return { ended: ids.length };
  }

  private async end(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const { sessionId, userId, companyId, visit } = context();
    const end = (own: { userId: string; companyId: string }) =>
      this.sessions.end({ sessionId: sessionId!, ...own }, new Date(), 'logout');
    // A session that visits a customer's company still belongs to its own company.
    await (visit
      ? platform(currentDatabase(), 'a visitor logs out', () => end(visit))
      : end({ userId: userId!, companyId }));
    const names = cookieNames(this.config.tokenKey, secure(request));
    void reply.header('set-cookie', [
      cookie(names.access, '', 0, secure(request)),
      cookie(names.refresh, '', 0, secure(request)),
    ]);
    return sessionId!;
  }
}
