import { message, type EventData } from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { openBus } from '@carillon/service';
import type { Platform } from '@carillon/testing/platform';

/** Says something on the bus, as a service would that has to say it. */
export async function tellMessage(
  platform: Platform,
  of: Partial<EventData<typeof message>> & { type: number },
  at = Date.now(),
): Promise<void> {
  const { companyId } = platform;
  const bus = await openBus(platform.busPlace('tell'));
  try {
    await bus.publish([
      toRecord(
        message,
        companyId,
        { level: 'medium', objectId: null, objectName: 'X7A', orgId: null, expiresAt: null, values: {}, ...of },
        envelope('message', { companyId, at }),
      ),
    ]);
  } finally {
    await bus.close();
  }
}
