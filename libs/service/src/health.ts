import { Controller, Get, Injectable, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Logger } from '@carillon/observability';

/** Returns null when healthy, otherwise a short reason. */
export type HealthCheck = () => string | null | Promise<string | null>;

export interface HealthReport {
  ready: boolean;
  checks: Record<string, string>;
}

/** How long a result is reused for all callers. */
const freshMs = 500;

/** Conditions under which this process accepts work. Each part registers its own check under its name. */
@Injectable()
export class Health {
  private readonly checks = new Map<string, HealthCheck>();
  private ending = false;
  private asked: { at: number; states: Promise<(readonly [string, string])[]> } | undefined;

  add(name: string, check: HealthCheck): void {
    this.checks.set(name, check);
  }

  /** Marks this process as ending: it finishes its work and accepts no more. */
  drain(): void {
    this.ending = true;
  }

  get draining(): boolean {
    return this.ending;
  }

  /** Returns `ok` or the reason per name; a check that takes longer than `withinMs` has failed. */
  async report(withinMs = 3_000): Promise<HealthReport> {
    return this.judge(await this.ask(withinMs));
  }

  /**
   * Returns a recent report, for public and frequent callers: however many ask, the database, the bus and the services
   * behind are queried one at a time and at most twice a second.
   */
  async latest(): Promise<HealthReport> {
    if (this.asked === undefined || performance.now() - this.asked.at > freshMs) {
      const asked = { at: Infinity, states: this.ask(3_000) };
      this.asked = asked;
      void asked.states.then(() => {
        asked.at = performance.now();
      });
    }
    return this.judge(await this.asked.states);
  }

  private judge(states: readonly (readonly [string, string])[]): HealthReport {
    const all = this.ending ? [...states, ['process', 'is ending'] as const] : states;
    return { ready: all.every(([, state]) => state === 'ok'), checks: Object.fromEntries(all) };
  }

  private ask(withinMs: number): Promise<(readonly [string, string])[]> {
    const late = new Promise<string>((resolve) => {
      setTimeout(resolve, withinMs, `no answer within ${withinMs} ms`).unref();
    });
    return Promise.all(
      [...this.checks].map(async ([name, check]) => {
        const reason = await Promise.race([Promise.resolve().then(check), late]).catch(() => 'cannot be reached');
        return [name, reason ?? 'ok'] as const;
      }),
    );
  }
}

/** Waits until all parts are ready. Returns the checks that still fail after `withinMs`, by name; empty when ready. */
export async function untilReady(healths: readonly Health[], withinMs = 60_000): Promise<Record<string, string>> {
  const until = Date.now() + withinMs;
  // The pause grows: each look queries the database and the bus, and a part that is not ready soon may be away for
  // long.
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 1_000)) {
    const reports = await Promise.all(healths.map((health) => health.report()));
    if (reports.every((r) => r.ready)) return {};
    if (Date.now() >= until)
      return Object.fromEntries(reports.flatMap((r) => Object.entries(r.checks)).filter(([, state]) => state !== 'ok'));
    await new Promise((resolve) => {
      setTimeout(resolve, pause);
    });
  }
}

/** Reports to the supervisor after the start: ready, or the failing checks. The process continues in both cases. */
export async function reportReady(
  healths: readonly Health[],
  log: Logger,
  fields: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const against = await untilReady(healths);
  if (Object.keys(against).length > 0) {
    log.error({ ...fields, checks: against }, 'started, and not ready');
    return {
      failed: Object.entries(against)
        .map(([name, reason]) => `${name}: ${reason}`)
        .join('; '),
    };
  }
  log.info({ point: 'ready', ...fields }, 'ready');
  return { ready: true };
}

/**
 * Endpoints for the orchestrator: `/livez` succeeds while the process responds, `/readyz` is 503 with the reasons until
 * the process is ready.
 */
@Controller()
export class HealthController {
  constructor(private readonly health: Health) {}

  @Get('livez')
  live(): { live: true; draining?: true } {
    return this.health.draining ? { live: true, draining: true } : { live: true };
  }

  @Get('readyz')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<HealthReport> {
    const report = await this.health.latest();
    void reply.header('cache-control', 'no-store').status(report.ready ? 200 : 503);
    return report;
  }
}
