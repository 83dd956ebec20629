import { linkSession } from '@carillon/contracts';
import type { EventData } from '@carillon/contracts';
import type { Connection, EndReason } from './connection.ts';
import { toRecord } from './envelope.ts';
import type { Uplink } from './uplink.ts';

const reasons = { closed: 'closed', lost: 'lost', drain: 'drain', refused: 'refused' } as const satisfies Record<Exclude<EndReason, 'taken'>, string>;

/**
 * Tells who is here (GW-03). The epoch orders the two events of a session among those of all sessions of its device;
 * a session that another took over has no offline of its own, the online of the taker says it.
 */
export class Presence {
  constructor(private readonly uplink: Uplink, private readonly clock: { now(): number }, private readonly gateway: string, private readonly era: number) {}

  online(c: Connection): void {
    this.tell(c, 'online', { address: c.address });
  }

  offline(c: Connection, reason: Exclude<EndReason, 'taken'>): void {
    this.tell(c, 'offline', { reason: reasons[reason] });
  }

  private tell(c: Connection, type: 'online' | 'offline', more: { address: string } | { reason: string }): void {
    const { deviceId, companyId, orgId, ownerEpoch } = c.identity!;
    const at = this.clock.now();
    const data = { deviceId, mac: c.id, ownerEpoch, epoch: c.epoch, gateway: this.gateway, ...more, at };
    this.uplink.add(toRecord(linkSession.name, type, deviceId, JSON.stringify(data satisfies Partial<EventData<typeof linkSession>>), { at, companyId, orgId, era: this.era }), null);
  }
}
