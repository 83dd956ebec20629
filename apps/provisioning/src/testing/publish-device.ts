import { deviceState, type EventData } from '@carillon/contracts';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import type { Actor } from '@carillon/testing';

let version = 0;

/** Publishes a device of the actor's company like the device service. It is an X7A unless told otherwise; null deletes it. */
export const publishDevice = (
  bus: PostgresBus,
  as: Pick<Actor, 'companyId' | 'orgId'>,
  id: string,
  device: Partial<EventData<typeof deviceState, 'device'>> | null,
): Promise<unknown> =>
  bus.publish([
    toRecord(
      deviceState,
      id,
      device && {
        id,
        orgId: as.orgId,
        mac: id.replaceAll('-', '').slice(-12),
        name: 'Phone',
        model: 'X7A',
        sn: 'S',
        firmware: null,
        internalIp: null,
        configured: true,
        failedLines: 0,
        configFailed: false,
        capabilities: [],
        ownerEpoch: 1,
        ...device,
      },
      envelope('device', { companyId: as.companyId, version: ++version }),
    ),
  ]);
