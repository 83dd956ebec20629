import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { NamedRoute } from '@carillon/contracts/routes';
import { CACHE, CONFIG, Failure, networkOf, type Cache } from '@carillon/service';
import type { Context } from '@carillon/tenancy';
import type { GatewayConfig } from '../config.ts';
import { Limit, type Rule, type Verdict } from './limit.ts';

/** A login costs the server a slow hash, for every caller. */
const logins = new Set(['token']);

/** Limits the rate of calls: per address without a session, else per session or API token. */
@Injectable()
export class Limits {
  private readonly limit: Limit;
  private readonly rules: Record<'login' | 'public' | 'session', Rule>;
  private readonly held = new Map<string, number>();

  constructor(
    @Inject(CACHE) cache: Cache,
    @Inject(CONFIG) private readonly config: GatewayConfig,
  ) {
    this.limit = new Limit(cache);
    this.rules = {
      login: { name: 'login', perMinute: config.loginsPerMinute },
      public: { name: 'public', perMinute: config.publicCallsPerMinute },
      session: { name: 'session', perMinute: config.sessionCallsPerMinute },
    };
  }

  /**
   * Counts a call and sets the headers with the remaining number. Throws 429 above the limit. Waits only when the count
   * is shared.
   */
  admit({ route, name }: NamedRoute, context: Context, reply: FastifyReply): void | Promise<void> {
    const open = route.permission === 'public';
    const rule = !open ? this.rules.session : logins.has(name) ? this.rules.login : this.rules.public;
    if (rule.perMinute === 0) return;
    const verdict = this.limit.take(rule, whoOf(open, context));
    return verdict instanceof Promise ? verdict.then((v) => tell(v, reply)) : tell(verdict, reply);
  }

  /**
   * Takes one of the caller's slots for slow work: a body that is still arriving, or an answer that is still being
   * read. Returns a function that frees it. Throws 429 above the limit.
   */
  hold({ route }: NamedRoute, context: Context): () => void {
    const open = route.permission === 'public';
    const most = open ? this.config.slowPerAddress : this.config.slowPerSession;
    const who = whoOf(open, context);
    const now = this.held.get(who) ?? 0;
    if (now >= most) throw new Failure('common.tooMany', { seconds: 1 });
    this.held.set(who, now + 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const left = this.held.get(who)! - 1;
      if (left > 0) this.held.set(who, left);
      else this.held.delete(who);
    };
  }
}

/** Returns who is counted: the network for calls without a login, else the session or API token. */
const whoOf = (open: boolean, context: Context): string =>
  open ? networkOf(context.address ?? '') : (context.sessionId ?? `${context.userId} ${context.apiToken}`);

/** Sets the headers of draft-ietf-httpapi-ratelimit-headers: the policy and the remainder. */
function tell({ rule, allowed, remaining, resetSeconds }: Verdict, reply: FastifyReply): void {
  void reply
    .header('ratelimit-policy', `"${rule.name}";q=${rule.perMinute};w=60`)
    .header('ratelimit', `"${rule.name}";r=${remaining};t=${resetSeconds}`);
  if (!allowed) throw new Failure('common.tooMany', { seconds: resetSeconds });
}
