import type { DeviceFilter, ExportOrder } from '@carillon/contracts';
import { currentSql } from '@carillon/persistence';
import type { ExportSource } from '@carillon/service';
import { deviceRecord, matchingIds } from '../device/device-list.queries.ts';

/**
 * Exports a fleet, which is too long for the pages of its list: reads the matching ids once, then the rows in parts.
 */
export const deviceSource: ExportSource = {
  ids: ({ ids, filter, sort }: ExportOrder) =>
    matchingIds({ ...(filter as DeviceFilter), ...(sort ? { sort: sort as 'name' } : {}) }, ids),
  records: (part) =>
    currentSql().rows(deviceRecord, `select ${deviceRecord} from device d where d.id = any($1::uuid[])`, [[...part]]),
};
