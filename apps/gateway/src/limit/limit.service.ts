import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { NamedRoute } from '@carillon/contracts/routes';
import { CACHE, CONFIG, Failure, networkOf, type Cache } from '@carillon/service';
import type { Context } from '@carillon/tenancy';
import type { GatewayConfig } from '../config.ts';
import { Limit, type Rule, type Verdict } from './limit.ts';

/** A login costs the server a slow hash, whoever asks for it. */
const logins = new Set(['token']);

/** Slows down who calls too often: per address what needs no session, per session or developer's token all else. */
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
   * Counts a call and says in the answer's headers how many are left; throws 429 above the limit. Waits only where the
   * others are told.
   */
  admit({ route, name }: NamedRoute, context: Context, reply: FastifyReply): void | Promise<void> {
    const open = route.permission === 'public';
    const rule = !open ? this.rules.session : logins.has(name) ? this.rules.login : this.rules.public;
    if (rule.perMinute === 0) return;
    const verdict = this.limit.take(rule, whoOf(open, context));
    return verdict instanceof Promise ? verdict.then((v) => tell(v, reply)) : tell(verdict, reply);
  }

  /**
   * One of the slow things that somebody may have under way at once: a body that is still coming, an answer that is
   * still being read. Returns what ends it; throws 429 above the cap.
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

/** Who is counted: a network where nobody has logged in, else the session or the developer's token. */
const whoOf = (open: boolean, context: Context): string =>
  open ? networkOf(context.address ?? '') : (context.sessionId ?? `${context.userId} ${context.apiToken}`);

/** draft-ietf-httpapi-ratelimit-headers: the policy and what is left of it. */
function tell({ rule, allowed, remaining, resetSeconds }: Verdict, reply: FastifyReply): void {
  void reply
    .header('ratelimit-policy', `"${rule.name}";q=${rule.perMinute};w=60`)
    .header('ratelimit', `"${rule.name}";r=${remaining};t=${resetSeconds}`);
  if (!allowed) throw new Failure('common.tooMany', { seconds: resetSeconds });
}
