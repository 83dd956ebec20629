import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { ServiceName } from '@carillon/contracts';
import { createLogger } from '@carillon/observability';
import { CONFIG, Health } from '@carillon/service';
import type { GatewayConfig } from '../config.ts';
import { Upstream } from './upstream.ts';

const log = createLogger('gateway');

/** The services and the states of their processes. */
@Injectable()
export class Upstreams implements OnModuleInit, OnApplicationShutdown {
  private readonly all = new Map<ServiceName, Upstream>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONFIG) config: GatewayConfig,
    private readonly health: Health,
  ) {
    for (const [name, at] of Object.entries(config.upstreams) as [
      ServiceName,
      GatewayConfig['upstreams'][ServiceName],
    ][]) {
      if (at && at.length > 0)
        this.all.set(
          name,
          new Upstream(
            name,
            at,
            (where, state) => {
              log.warn({ service: name, at: where, state }, 'a process behind the API gateway changed');
            },
            config.answerSeconds * 1_000,
          ),
        );
    }
  }

  async onModuleInit(): Promise<void> {
    for (const [name, upstream] of this.all) this.health.add(name, () => upstream.reason());
    const several = [...this.all.values()].filter((u) => u.chooses);
    await Promise.all(several.map((upstream) => upstream.resolve()));
    if (several.length > 0)
      this.timer = setInterval(() => {
        for (const upstream of several) upstream.look();
      }, 500).unref();
  }

  get(name: ServiceName): Upstream | undefined {
    return this.all.get(name);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all([...this.all.values()].map((upstream) => upstream.close()));
  }
}
