import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Pool } from 'undici';
import type { ServiceName } from '@carillon/contracts';
import { CONFIG, Health } from '@carillon/service';
import type { GatewayConfig } from '../config.ts';

/** Connections to the services. */
@Injectable()
export class Upstreams implements OnModuleInit, OnApplicationShutdown {
  private readonly pools = new Map<ServiceName, Pool>();

  constructor(@Inject(CONFIG) config: GatewayConfig, private readonly health: Health) {
    for (const [name, at] of Object.entries(config.upstreams) as [ServiceName, GatewayConfig['upstreams'][ServiceName]][]) {
      if (!at) continue;
      const options = { connections: 128, pipelining: 1, keepAliveTimeout: 60_000, connectTimeout: 5_000, headersTimeout: 65_000, bodyTimeout: 65_000 };
      this.pools.set(name, 'socketPath' in at ? new Pool(`http://${name}`, { ...options, socketPath: at.socketPath }) : new Pool(at.url, options));
    }
  }

  onModuleInit(): void {
    for (const [name, pool] of this.pools) {
      this.health.add(name, async () => {
        const { statusCode, body } = await pool.request({ path: '/readyz', method: 'GET', headersTimeout: 2_000, bodyTimeout: 2_000 });
        if (statusCode === 200) return body.dump().then(() => null);
        const told = await body.json().catch(() => ({})) as { checks?: Record<string, string> };
        return Object.entries(told.checks ?? {}).filter(([, state]) => state !== 'ok').map(([check, state]) => `${check}: ${state}`).join('; ') || 'not ready';
      });
    }
  }

  of(name: ServiceName): Pool | undefined {
    return this.pools.get(name);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.destroy()));
  }
}
