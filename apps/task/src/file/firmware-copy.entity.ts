import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Firmware } from '@carillon/actions';
import { tenant, tenantProperties } from '@carillon/persistence';

/** Firmware of a company, as a command names it. */
export const FirmwareCopy = defineEntity({
  name: 'FirmwareCopy',
  tableName: 'firmware_copy',
  properties: {
    ...tenantProperties,
    file: p.json<Firmware>(),
    version: p.bigint('number'),
    era: p.integer(),
  },
  ...tenant(),
});

/** SQL: the current firmware of that id, the company's own or official; null when it does not exist. */
export const firmwareSql = (id: string): string => `
  coalesce(
    (select f.file from firmware_copy f where f.id = ${id}),
    (select o.file from official_firmware_copy o where o.id = ${id})
  )
`;
/** SQL: all firmware that the company can install on its devices. */
export const everyFirmwareSql = `
  (select id, file from firmware_copy union all select id, file from official_firmware_copy)
`;

/** Official firmware, for every company. */
export const OfficialFirmwareCopy = defineEntity({
  name: 'OfficialFirmwareCopy',
  tableName: 'official_firmware_copy',
  properties: {
    id: p.uuid().primary(),
    file: p.json<Firmware>(),
    version: p.bigint('number'),
    era: p.integer(),
  },
});
