import { message, type EventData } from '@carillon/contracts';
import { envelope, PostgresBus, toRecord } from '@carillon/messaging';
import { openBus } from '@carillon/service';
import type { Platform } from '@carillon/testing/platform';

/** Says something on the bus, as a service would that has to say it. */
export async function tellMessage(
  platform: Platform,
  of: Partial<EventData<typeof message>> & { type: number },
  at = Date.now(),
): Promise<void> {
  const { brokers, companyId } = platform;
  const bus =
    brokers === undefined
      ? await PostgresBus.open({
          connection: {
            host: platform.socket,
            port: 5432,
            database: 'carillon_bus',
            user: 'carillon_bus_app',
            password: platform.databasePassword('bus'),
          },
        })
      : await openBus({ bus: 'kafka', brokers, name: 'tell', login: platform.kafkaLogin });
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
