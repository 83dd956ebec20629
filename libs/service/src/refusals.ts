import type { RouteDefinition } from '@carillon/contracts';
import type { Context } from '@carillon/tenancy';
import type { Failure } from './failure.ts';

const everyMs = 60_000;
const mostKept = 10_000;

type Caller = Pick<Context, 'userId' | 'apiToken'>;

/**
 * Limits refused calls in the operation log: one entry a minute per user or API token, call and reason, with the number
 * since the last one. The log keeps entries forever, and a refused user can call fifty times a second.
 */
export class Refusals {
  private readonly last = new Map<string, { at: number; since: number }>();

  /** Returns how many refusals an entry stands for now; undefined when none is to be written. */
  times({ userId, apiToken }: Caller, call: string, reason: string, now = performance.now()): number | undefined {
    // A token acts as its maker, whose own refusals must not hide those of the token (AUTH-17).
    const key = JSON.stringify([userId, apiToken ?? null, call, reason]);
    const before = this.last.get(key);
    if (before && now - before.at < everyMs) {
      before.since++;
      return undefined;
    }
    this.last.delete(key);
    this.last.set(key, { at: now, since: 0 });
    // Evicts the oldest: memory stays bounded.
    if (this.last.size > mostKept) this.last.delete(this.last.keys().next().value!);
    return 1 + (before?.since ?? 0);
  }

  /** Returns action, result and detail of the entry of a refused call; undefined when none is to be written. */
  entry(
    caller: Caller,
    route: RouteDefinition,
    { key }: Failure,
  ): { action: string; result: string; detail: Record<string, unknown> } | undefined {
    const call = `${route.method} ${route.path}`;
    const times = this.times(caller, call, key);
    if (times === undefined) return undefined;
    return {
      action: route.audit === 'none' || route.audit === 'session' ? 'access.refused' : route.audit,
      result: key,
      detail: {
        call,
        ...(key === 'common.forbidden' ? { permission: route.permission } : {}),
        ...(times > 1 ? { times } : {}),
      },
    };
  }
}
