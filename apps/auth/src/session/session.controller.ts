import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { logout, logoutWithLogs, type RouteInput } from '@carillon/contracts';
import { createLogger } from '@carillon/observability';
import { context, cookieNames } from '@carillon/tenancy';
import { CONFIG, auditNote, emitAudit, Handle } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { cookie, secure } from '../login/login.controller.ts';
import { SessionService } from './session.service.ts';

const log = createLogger('browser');

@Controller()
export class SessionController {
  constructor(private readonly sessions: SessionService, @Inject(CONFIG) private readonly config: AuthConfig) {}

  @Handle(logout)
  async logout(_: RouteInput<typeof logout>, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<null> {
    auditNote({ objectId: await this.end(request, reply) });
    return null;
  }

  /** What went wrong in the browser is worth more here than there (AUTH-15): one line of our log each. */
  @Handle(logoutWithLogs)
  async logoutWithLogs({ body }: RouteInput<typeof logoutWithLogs>, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<null> {
    // An address may carry a code or a token behind its question mark.
    for (const entry of body?.logs ?? []) log.warn({ userId: context().userId, entry: { ...entry, url: entry.url.split('?')[0] } }, 'error in a browser');
    await emitAudit('session.logout', 'success', { objectId: await this.end(request, reply) });
    return null;
  }

  private async end(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const { sessionId, userId, companyId } = context();
    await this.sessions.end({ sessionId: sessionId!, userId: userId!, companyId }, new Date(), 'logout');
    const names = cookieNames(this.config.tokenKey, secure(request));
    void reply.header('set-cookie', [cookie(names.access, '', 0, secure(request)), cookie(names.refresh, '', 0, secure(request))]);
    return sessionId!;
  }
}
