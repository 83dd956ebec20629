import { linkReport, message, type EventData, type EventPayload, type StatePayload } from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { openBus } from '@carillon/service';
import type { Platform } from '@carillon/testing/platform';

/** Publishes a message on the bus, like a service. */
export async function publishMessage(
  platform: Platform,
  data: Partial<EventData<typeof message, 'message'>> & { type: number },
  at = Date.now(),
): Promise<void> {
  const { companyId } = platform;
  const bus = await openBus(platform.busPlace('tell'));
  try {
    await bus.publish([
      toRecord(
        message,
        companyId,
        { level: 'medium', objectId: null, objectName: 'X7A', orgId: null, expiresAt: null, values: {}, ...data },
        envelope('message', { companyId, at }),
      ),
    ]);
  } finally {
    await bus.close();
  }
}

/** Publishes a report of a device, like the MQTT gateway. */
export async function publishReport(
  platform: Platform,
  device: { id: string; mac: string; orgId: string },
  report: { event: Omit<EventPayload, 'at'> } | { state: Omit<StatePayload, 'at'> },
): Promise<void> {
  const { companyId } = platform;
  const bus = await openBus(platform.busPlace('tell'));
  const at = Date.now();
  const about = { deviceId: device.id, mac: device.mac, ownerEpoch: 1, epoch: 1, receivedAt: at };
  const place = { companyId, orgId: device.orgId };
  try {
    await bus.publish([
      'event' in report
        ? toRecord(linkReport, device.id, { ...about, payload: { at, ...report.event } }, envelope('event', place))
        : toRecord(linkReport, device.id, { ...about, payload: { at, ...report.state } }, envelope('state', place)),
    ]);
  } finally {
    await bus.close();
  }
}
