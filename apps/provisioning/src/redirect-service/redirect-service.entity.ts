import { defineEntity, p } from '@mikro-orm/postgresql';
import type { RedirectKindName, RedirectState } from '@carillon/contracts';
import type { ErrorKey } from '@carillon/contracts/errors';
import { changedInstant, instant, tenant, tenantProperties } from '@carillon/persistence';

/** A company's account at a maker's redirect service (EDGE-09). `CompanySecrets` encrypts its secret. */
const RedirectServiceSchema = defineEntity({
  name: 'RedirectService',
  tableName: 'redirect_service',
  indexes: [
    {
      name: 'redirect_service_maker',
      expression: 'create unique index redirect_service_maker on redirect_service (company_id, maker)',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    kind: p.string().$type<RedirectKindName>().length(16),
    maker: p.string().length(16),
    address: p.string().length(255),
    userName: p.string().length(128),
    secret: p.text(),
    enabled: p.boolean(),
    /** Since when its calls fail for a reason that is not of one device. */
    failingSince: instant(3).strictNullable(),
    failure: p.string().$type<ErrorKey>().length(64).strictNullable(),
    failureValues: p.json<Record<string, string>>(),
    tries: p.integer(),
    /** When a failing service is asked again; null: not before a user changes it or retries. */
    retryAt: instant(3).strictNullable(),
    version: p.integer(),
    updatedAt: changedInstant(3),
  },
});
export class RedirectService extends RedirectServiceSchema.class {}
RedirectServiceSchema.setClass(RedirectService);

/**
 * What a redirect service is to know of a MAC, and what it knows. The row of a device that left stays until it is taken
 * off. `nextAt` is set while there is something to do.
 */
export const RedirectDevice = defineEntity({
  name: 'RedirectDevice',
  tableName: 'redirect_device',
  indexes: [
    {
      name: 'redirect_device_mac',
      expression: 'create unique index redirect_device_mac on redirect_device (service_id, mac)',
    },
    {
      name: 'redirect_device_device',
      expression: 'create index redirect_device_device on redirect_device (device_id)',
    },
    { name: 'redirect_device_other', expression: 'create index redirect_device_other on redirect_device (mac)' },
    {
      name: 'redirect_device_due',
      expression: `create index redirect_device_due on redirect_device (service_id, next_at, id)
        where (next_at is not null)`,
    },
    {
      name: 'redirect_device_leased',
      expression: `create index redirect_device_leased on redirect_device (leased_until)
        where (leased_until is not null)`,
    },
    {
      name: 'redirect_device_noticed',
      expression: `create index redirect_device_noticed on redirect_device (service_id)
        where (notice_id is not null)`,
    },
  ],
  ...tenant({ organization: true }),
  properties: {
    ...tenantProperties,
    orgId: p.uuid(),
    serviceId: p.uuid(),
    deviceId: p.uuid(),
    deviceName: p.string().length(64),
    mac: p.string().length(12),
    /** False when the device left and is to be taken off. */
    wanted: p.boolean(),
    state: p.string().$type<RedirectState>().length(16),
    /** The address that the service sends the phone to, and since when. */
    address: p.string().length(255).strictNullable(),
    since: instant(3).strictNullable(),
    failure: p.string().$type<ErrorKey>().length(64).strictNullable(),
    failureValues: p.json<Record<string, string>>(),
    tries: p.integer(),
    /** Rises with each change of what is wanted: the result of an earlier attempt does not count any more. */
    revision: p.integer(),
    nextAt: instant(3).strictNullable(),
    leasedUntil: instant(3).strictNullable(),
    /** The notice of its failure (NOTE-02), until it is mended. */
    noticeId: p.uuid().strictNullable(),
  },
});

/** Returns the place of the secret, which its ciphertext is bound to. */
export const secretPlace = (id: string): string => `redirect_service.secret ${id}`;
