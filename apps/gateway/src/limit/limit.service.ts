import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { NamedRoute } from '@carillon/contracts/routes';
import { CACHE, CONFIG, Failure, networkOf, type Cache } from '@carillon/service';
import type { Context } from '@carillon/tenancy';
import type { GatewayConfig } from '../config.ts';
import { Limit, type Rule, type Verdict } from './limit.ts';

/** A login costs the server a slow hash, for every caller. */
const logins = new Set(['token']);
/** Bodies up to this size are not counted, bytes. */
const smallBody = 65_536;

/** Limits calls: per address without a session, else per session or API token and per company. */
@Injectable()
export class Limits {
  private readonly limit: Limit;
  private readonly rules: Record<'login' | 'public' | 'session' | 'company' | 'file', Rule>;
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
      company: { name: 'company', perMinute: config.companyCallsPerMinute },
      file: { name: 'file', perMinute: config.filesPerMinute },
    };
  }

  /**
   * Counts a call and sets the headers with the remaining number. Throws 429 above the limit. Waits only when the count
   * is shared.
   */
  admit({ route, name }: NamedRoute, context: Context, reply: FastifyReply): void | Promise<void> {
    const open = route.permission === 'public';
    const rule = !open ? this.rules.session : logins.has(name) ? this.rules.login : this.rules.public;
    const own = this.count(rule, whoOf(open, context), (verdict) => setHeaders(verdict, reply));
    const ofCompany = open ? undefined : this.count(this.rules.company, context.companyId, refuse);
    return own && ofCompany ? Promise.all([own, ofCompany]).then(() => undefined) : (own ?? ofCompany);
  }

  /** Counts a request that is no call: a file of the console, the API's description, an unknown path. */
  async admitFile(address: string): Promise<void> {
    await this.count(this.rules.file, networkOf(address), refuse);
  }

  private count(rule: Rule, who: string, judge: (verdict: Verdict) => void): void | Promise<void> {
    if (rule.perMinute === 0) return;
    const verdict = this.limit.take(rule, who);
    return verdict instanceof Promise ? verdict.then(judge) : judge(verdict);
  }

  /**
   * Takes one of the caller's slots for slow work: a body that is still arriving, or an answer that is still being
   * read. Returns a function that frees it. Throws 429 above the limit of the caller or of their company.
   */
  hold({ route }: NamedRoute, context: Context): () => void {
    const open = route.permission === 'public';
    const most = open ? this.config.slowPerAddress : this.config.slowPerSession;
    return this.occupyAll(1, [
      [`slow ${whoOf(open, context)}`, most],
      ...(open ? [] : [[`slow of company ${context.companyId}`, this.config.slowPerCompany] as const]),
    ]);
  }

  /**
   * Reserves memory for a body of up to `bytes` bytes until a service has it. Returns a function that frees it. Throws
   * 429 when the session, its company or the process holds too much.
   */
  reserve({ route }: NamedRoute, context: Context, bytes: number): () => void {
    if (route.permission === 'public' || bytes <= smallBody) return () => undefined;
    const own = this.config.bodyBytesPerSession;
    return this.occupyAll(bytes, [
      [`bytes ${whoOf(false, context)}`, own],
      [`bytes of company ${context.companyId}`, 2 * own],
      ['bytes', 4 * own],
    ]);
  }

  /**
   * Counts a call of a session until it is answered. Returns a function that ends it. Throws 429 when the session or
   * its company has too many at once.
   */
  begin({ route }: NamedRoute, context: Context): () => void {
    if (route.permission === 'public') return () => undefined;
    return this.occupyAll(1, [
      [`call ${whoOf(false, context)}`, this.config.callsAtOnce],
      [`company ${context.companyId}`, this.config.companyCallsAtOnce],
    ]);
  }

  /** Takes room in all places or, when one has too little, in none. */
  private occupyAll(amount: number, places: readonly (readonly [place: string, most: number])[]): () => void {
    const frees: (() => void)[] = [];
    const free = (): void => {
      for (const one of frees) one();
    };
    try {
      for (const [place, most] of places) frees.push(this.occupy(place, most, amount));
      return free;
    } catch (error) {
      free();
      throw error;
    }
  }

  private occupy(place: string, most: number, amount: number): () => void {
    const now = this.held.get(place) ?? 0;
    if (now + amount > most) throw new Failure('common.tooMany', { seconds: 1 });
    this.held.set(place, now + amount);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const left = this.held.get(place)! - amount;
      if (left > 0) this.held.set(place, left);
      else this.held.delete(place);
    };
  }
}

/** Returns who is counted: the network for calls without a login, else the session or API token. */
const whoOf = (open: boolean, context: Context): string =>
  open ? networkOf(context.address ?? '') : (context.sessionId ?? `${context.userId} ${context.apiToken}`);

/** Sets the headers of draft-ietf-httpapi-ratelimit-headers: the policy and the remainder. */
function setHeaders(verdict: Verdict, reply: FastifyReply): void {
  const { rule, remaining, resetSeconds } = verdict;
  void reply
    .header('ratelimit-policy', `"${rule.name}";q=${rule.perMinute};w=60`)
    .header('ratelimit', `"${rule.name}";r=${remaining};t=${resetSeconds}`);
  refuse(verdict);
}

function refuse({ allowed, resetSeconds }: Verdict): void {
  if (!allowed) throw new Failure('common.tooMany', { seconds: resetSeconds });
}
