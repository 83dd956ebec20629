import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { finishOidc, listOidcProviders, startOidc, type RouteInput, type RouteReturn } from '@carillon/contracts';
import { parseCookies } from '@carillon/tenancy';
import { CONFIG, Handle } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { secure, sessionCookies } from '../login/login.controller.ts';
import { OidcRefused, OidcService } from './oidc.service.ts';

const cookieName = 'carillon-oidc';

@Controller()
export class OidcController {
  constructor(
    private readonly oidc: OidcService,
    @Inject(CONFIG) private readonly config: AuthConfig,
  ) {}

  @Handle(listOidcProviders)
  list(): RouteReturn<typeof listOidcProviders> {
    return this.oidc.list();
  }

  @Handle(startOidc)
  async start(
    { query }: RouteInput<typeof startOidc>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<null> {
    try {
      const { url, browser } = await this.oidc.start(query.provider, query.to);
      await reply.header('set-cookie', own(browser, 600, secure(request))).redirect(url, 302);
    } catch (error) {
      await this.refuse(error, request, reply);
    }
    return null;
  }

  @Handle(finishOidc)
  async finish(
    { query }: RouteInput<typeof finishOidc>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<null> {
    try {
      const { answer, to } = await this.oidc.finish(query, parseCookies(request.headers.cookie).get(cookieName), {
        browser: request.headers['user-agent'] ?? null,
      });
      // The login page reads the session from the cookies: a URL never carries a token.
      await reply
        .header('set-cookie', [...sessionCookies(this.config, answer, request), own('', 0, secure(request))])
        .redirect(`/login?${new URLSearchParams({ signedIn: '1', ...(to ? { to } : {}) })}`, 302);
    } catch (error) {
      await this.refuse(error, request, reply);
    }
    return null;
  }

  private async refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!(error instanceof OidcRefused)) throw error;
    await reply
      .header('set-cookie', own('', 0, secure(request)))
      .redirect(`/login?${new URLSearchParams({ refused: error.reason, ...(error.to ? { to: error.to } : {}) })}`, 302);
  }
}

/** Lax, because the redirect back starts at the provider's site. */
const own = (value: string, seconds: number, encrypted: boolean): string =>
  `${cookieName}=${value}; Path=/api/f/auth/oidc; Max-Age=${seconds}; HttpOnly; SameSite=Lax${encrypted ? '; Secure' : ''}`;
