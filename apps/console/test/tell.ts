import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { message, type EventData } from '@carillon/contracts';
import { envelope, PostgresBus, toRecord } from '@carillon/messaging';
import type { Platform } from '@carillon/testing/platform';

/** Says something on the bus, as a service would that has to say it. */
export async function tellMessage(platform: Platform, of: Partial<EventData<typeof message>> & { type: number }, at = Date.now()): Promise<void> {
  const secrets = JSON.parse(readFileSync(join(platform.folder, 'secrets.json'), 'utf8')) as { companyId: string; databases: Record<string, { app: string }> };
  const bus = await PostgresBus.open({ connection: { host: platform.socket, port: 5432, database: 'carillon_bus', user: 'carillon_bus_app', password: secrets.databases['bus']!.app } });
  try {
    await bus.publish([toRecord(message, secrets.companyId, { level: 'medium', objectId: null, objectName: 'X7A', orgId: null, expiresAt: null, values: {}, ...of }, envelope('message', { companyId: secrets.companyId, at }))]);
  } finally { await bus.close(); }
}
