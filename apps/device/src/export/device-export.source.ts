import type { DeviceFilter, ExportOrder } from '@carillon/contracts';
import { currentSql } from '@carillon/persistence';
import type { ExportSource } from '@carillon/service';
import { deviceRecord, matchingIds } from '../device/device-list.queries.ts';

/** A fleet is too long for the pages of its list: what matches is asked for once, then a part at a time. */
export const deviceSource: ExportSource = {
  ids: ({ ids, filter, sort }: ExportOrder) =>
    matchingIds({ ...(filter as DeviceFilter), ...(sort ? { sort: sort as 'name' } : {}) }, ids),
  records: (part) =>
    currentSql().rows(deviceRecord, `select ${deviceRecord} from device d where d.id = any($1::uuid[])`, [[...part]]),
};
