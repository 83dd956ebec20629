import { createHash, timingSafeEqual } from 'node:crypto';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { showCaptcha, token, type RouteInput } from '@carillon/contracts';
import { cookieNames, parseCookies } from '@carillon/tenancy';
import { CONFIG, Failure, Handle } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { LoginService, type TokenAnswer } from './login.service.ts';

const same = (a: string, b: string): boolean => timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());

@Controller()
export class LoginController {
  constructor(private readonly logins: LoginService, @Inject(CONFIG) private readonly config: AuthConfig) {}

  @Handle(token)
  async token({ query, body }: RouteInput<typeof token>, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<TokenAnswer> {
    void reply.header('cache-control', 'no-store');
    const call = { ...query, ...body };
    this.checkClient(request.headers.authorization);
    if (call.scope !== undefined && call.scope !== 'all') throw new Failure('auth.grantUnsupported');
    const cookies = cookieNames(this.config.tokenKey, secure(request));
    const answer = call.grant_type === 'captcha'
      ? await this.logins.login(call, request.headers['user-agent'] ?? null)
      : call.grant_type === 'refresh_token'
        ? await this.logins.refresh(call.refresh_token ?? parseCookies(request.headers.cookie).get(cookies.refresh))
        : undefined;
    if (!answer) throw new Failure('auth.grantUnsupported');
    void reply.header('set-cookie', [
      cookie(cookies.access, answer.access_token, answer.expires_in, secure(request)),
      cookie(cookies.refresh, answer.refresh_token, this.config.refreshSeconds, secure(request)),
    ]);
    return answer;
  }

  /** Off: no name needs one, since the check itself is not there to be answered. */
  @Handle(showCaptcha)
  showCaptcha(): boolean {
    return false;
  }

  /** The client's name and secret are public (every browser has them): they identify, they do not protect. */
  private checkClient(header: string | undefined): void {
    const [scheme, given] = (header ?? '').split(' ');
    const wanted = `${this.config.clientId}:${this.config.clientSecret}`;
    if (scheme?.toLowerCase() !== 'basic' || !given || !same(Buffer.from(given, 'base64').toString(), wanted)) throw new Failure('auth.clientInvalid');
  }
}

/** As the API gateway told it: it alone is reached from outside. */
export const secure = (request: FastifyRequest): boolean => request.headers['x-forwarded-proto'] === 'https';

/** `Path=/` and no Domain, as `__Host-` demands. A life of 0 takes the cookie away. */
export function cookie(name: string, value: string, seconds: number, encrypted: boolean): string {
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${encrypted ? '; Secure' : ''}`;
}
