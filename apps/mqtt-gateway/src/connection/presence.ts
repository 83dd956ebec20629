import { linkSession } from '@carillon/contracts';
import type { EventData } from '@carillon/contracts';
import type { ClaimStore } from '../claim/claim-store.ts';
import type { EndReason } from '../counters.ts';
import type { Connection } from './connection.ts';
import type { Identity } from '../credential/credential-feed.ts';
import { toRecord } from '../uplink/envelope.ts';
import type { Uplink } from '../uplink/uplink.ts';

/**
 * Publishes who is connected (GW-03). The epoch orders a session's two events among those of all sessions of its
 * device. A session that was taken over has no offline event, because the online of the new session replaces it.
 */
export class Presence {
  constructor(
    private readonly uplink: Uplink,
    private readonly clock: { now(): number },
    private readonly self: { readonly id: string },
    private readonly era: number,
    private readonly claims: ClaimStore,
  ) {}

  publishOnline(c: Connection): void {
    const at = this.clock.now();
    const { deviceId, ownerEpoch, renewed } = c.identity!;
    const data: EventData<typeof linkSession, 'online'> = {
      deviceId,
      mac: c.id,
      ownerEpoch,
      epoch: c.epoch,
      gateway: this.self.id,
      address: c.address,
      at,
      ...(renewed === null ? {} : { secretHash: renewed }),
      ...(this.claims.alone(c.id) ? { alone: true } : {}),
    };
    this.publish(c.identity!, 'online', JSON.stringify(data), at);
  }

  publishOffline(c: Connection, reason: Exclude<EndReason, 'taken'>): void {
    const at = this.clock.now();
    const { deviceId, ownerEpoch } = c.identity!;
    const data: EventData<typeof linkSession, 'offline'> = {
      deviceId,
      mac: c.id,
      ownerEpoch,
      epoch: c.epoch,
      gateway: this.self.id,
      reason,
      ...(c.brokenRule === null ? {} : { fault: c.brokenRule }),
      at,
    };
    this.publish(c.identity!, 'offline', JSON.stringify(data), at);
  }

  private publish(
    { deviceId, companyId, orgId }: Identity,
    type: 'online' | 'offline',
    json: string,
    at: number,
  ): void {
    this.uplink.add(toRecord(linkSession.name, type, deviceId, json, at, this.era, companyId, orgId), null);
  }
}
