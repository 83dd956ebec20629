import { createHash, timingSafeEqual } from 'node:crypto';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { captchaHeaders, showCaptcha, token, type RouteInput } from '@carillon/contracts';
import { cookieNames, parseCookies } from '@carillon/tenancy';
import { CONFIG, Failure, Handle } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { LoginService } from './login.service.ts';
import type { TokenAnswer } from './token-answer.ts';

const same = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());

@Controller()
export class LoginController {
  constructor(
    private readonly logins: LoginService,
    @Inject(CONFIG) private readonly config: AuthConfig,
  ) {}

  @Handle(token)
  async token(
    { query, body }: RouteInput<typeof token>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TokenAnswer> {
    void reply.header('cache-control', 'no-store');
    const call = { ...query, ...body };
    this.checkClient(request.headers.authorization);
    if (call.scope !== undefined && call.scope !== 'all') throw new Failure('auth.grantUnsupported');
    const cookies = cookieNames(this.config.tokenKey, secure(request));
    const answer =
      call.grant_type === 'captcha'
        ? await this.logins.login(call, {
            browser: request.headers['user-agent'] ?? null,
            captcha: captchaOf(request, call),
          })
        : call.grant_type === 'refresh_token'
          ? await this.logins.refresh(call.refresh_token ?? parseCookies(request.headers.cookie).get(cookies.refresh))
          : undefined;
    if (!answer) throw new Failure('auth.grantUnsupported');
    void reply.header('set-cookie', sessionCookies(this.config, answer, request));
    return answer;
  }

  @Handle(showCaptcha)
  showCaptcha({ query }: RouteInput<typeof showCaptcha>): Promise<boolean> {
    return this.logins.needsCaptcha(query.username ?? '');
  }

  /** The client's name and secret are public (every browser has them): they identify the client but protect nothing. */
  private checkClient(header: string | undefined): void {
    const [scheme, given] = (header ?? '').split(' ');
    const wanted = `${this.config.clientId}:${this.config.clientSecret}`;
    if (scheme?.toLowerCase() !== 'basic' || !given || !same(Buffer.from(given, 'base64').toString(), wanted))
      throw new Failure('auth.clientInvalid');
  }
}

/** Returns the answer to a captcha: from the headers, or from `key` and `code` (AUTH-02). */
function captchaOf(
  { headers }: FastifyRequest,
  call: { key?: string | undefined; code?: string | undefined },
): { key: string | undefined; code: string | undefined } {
  const one = (name: string): string | undefined => [headers[name]].flat()[0]?.slice(0, 256);
  const [key, code] = [one(captchaHeaders.key), one(captchaHeaders.code)];
  return key === undefined && code === undefined ? { key: call.key, code: call.code } : { key, code };
}

/** Returns both tokens as cookies (AUTH-07). */
export function sessionCookies(config: AuthConfig, answer: TokenAnswer, request: FastifyRequest): string[] {
  const names = cookieNames(config.tokenKey, secure(request));
  return [
    cookie(names.access, answer.access_token, answer.expires_in, secure(request)),
    cookie(names.refresh, answer.refresh_token, config.refreshSeconds, secure(request)),
  ];
}

/** Trusts the header of the API gateway, the only service that is reachable from outside. */
export const secure = (request: FastifyRequest): boolean => request.headers['x-forwarded-proto'] === 'https';

/** Sets `Path=/` and no Domain, as `__Host-` requires. A `seconds` of 0 deletes the cookie. */
export function cookie(name: string, value: string, seconds: number, encrypted: boolean): string {
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${encrypted ? '; Secure' : ''}`;
}
