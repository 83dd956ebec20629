import type { PostgresBus } from '@carillon/messaging';
import type { ServiceDefinition } from '@carillon/service';
import { testService, type TestedService } from '@carillon/testing';
import { PhonePort } from '../phone-port/phone-port.ts';
import { provisioningService } from '../provisioning.module.ts';

const dataKey = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';

/** Starts the service with these settings, or another process of it with the database of the given one. */
export const startProvisioning = (
  bus: PostgresBus,
  settings: Record<string, unknown> = {},
  beside?: TestedService,
): Promise<TestedService> =>
  testService(
    provisioningService as unknown as ServiceDefinition,
    bus,
    { dataKey, ...settings },
    beside ? { beside } : {},
  );

/** Returns the port on which a service listens for phones. */
export const phonePortOf = (service: TestedService): number => service.app.get(PhonePort).port;
