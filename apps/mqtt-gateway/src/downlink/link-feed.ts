import { linkGateway, linkSession, phoneGateway } from '@carillon/contracts';
import type { EventData } from '@carillon/contracts';
import type { Bus, BusBatch, FanoutConsumer } from '@carillon/messaging';
import type { Connections } from '../connection/connections.ts';
import type { Lease } from '../claim/lease.ts';

type Session = EventData<typeof linkSession, 'online'>;

/**
 * Reads what all gateway processes publish about themselves and their sessions. This is how two processes that hold one
 * device find out while Redis cannot tell them. The later claim wins, whichever process made it.
 */
export class LinkFeed {
  private readonly consumers: FanoutConsumer[] = [];

  constructor(
    private readonly bus: Bus,
    private readonly connections: Connections,
    private readonly lease: Lease,
  ) {}

  async start(): Promise<void> {
    // Few records, read from the start: they tell which processes live even when Redis has forgotten.
    this.consumers.push(
      await this.bus.fanout({ topics: [linkGateway.name], from: 'start', handle: (batch) => this.readGateways(batch) }),
    );
    this.consumers.push(
      await this.bus.fanout({ topics: [linkSession.name], from: 'end', handle: (batch) => this.readSessions(batch) }),
    );
    await Promise.all(this.consumers.map((consumer) => consumer.caughtUp));
  }

  async stop(): Promise<void> {
    await Promise.all(this.consumers.splice(0).map((consumer) => consumer.close()));
  }

  private readGateways(batch: BusBatch): void {
    for (const { headers, value } of batch.records) {
      const data = read<EventData<typeof linkGateway>>(value);
      if (typeof data?.gateway !== 'string') continue;
      if (headers.type === 'started') this.lease.handleStarted(data.name, data.gateway);
      else if (headers.type === 'alive') this.lease.hear(data.gateway);
      else if (headers.type === 'gone') this.lease.handleGone(data.gateway);
    }
  }

  private readSessions(batch: BusBatch): void {
    const own = `"gateway":"${this.connections.gateway}"`;
    for (const { headers, value } of batch.records) {
      // Most records are our own, which this detects without parsing.
      if (value === null || value.includes(own)) continue;
      const session = read<Session>(value);
      if (typeof session?.mac !== 'string' || typeof session.epoch !== 'number') continue;
      // A phone over HTTP is no connection, and takes none.
      if (session.gateway === phoneGateway) continue;
      if (headers.type === 'online') this.handleOnline(session);
      else if (headers.type === 'offline') this.handleOffline(session);
    }
  }

  private handleOnline({ mac, epoch, alone }: Session): void {
    const c = this.connections.find(mac);
    // The other clock is behind, or it never saw our claim, and Redis could not correct it. We drop the connection with
    // our higher epoch, and our offline makes the other process raise its own above that.
    if (c !== undefined && alone === true && epoch < c.epoch) c.end('lost');
    else this.connections.loseDevice(mac, epoch);
  }

  private handleOffline({ mac, epoch }: Session): void {
    const c = this.connections.find(mac);
    if (c !== undefined && c.epoch < epoch) this.connections.raiseEpoch(c, epoch + 1);
  }
}

function read<T>(value: string | null): T | null {
  try {
    return value === null ? null : (JSON.parse(value) as T);
  } catch {
    return null;
  }
}
