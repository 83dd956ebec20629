import type { DeliveryRecord, listDeliveries, RouteInput, RouteReturn } from '@carillon/contracts';
import { macDigits } from '@carillon/contracts/device-filter';
import {
  alphabetic,
  anyContains,
  columnNames,
  columns,
  computed,
  containsPattern,
  currentDatabase,
  currentSql,
  filterBy,
  filterSql,
  platform,
} from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { DeliveredDevice } from './delivered-device.entity.ts';

type Query = RouteInput<typeof listDeliveries>['query'];

const d = columnNames(DeliveredDevice, 'd');
const state = `case when ${d.claimedAt} is null then 'free' else 'claimed' end`;
const from = `delivered_device d left join channel_copy c on c.id = ${d.claimedBy}`;
/** The hash of a code is in no answer. */
const record = columns(DeliveredDevice, 'd', ['id', 'mac', 'sn', 'claimedAt', 'importedAt'], {
  state: computed<DeliveryRecord['state']>(state),
  company: computed<string | null>('c.name'),
});

/** Locks the code of a MAC until the transaction ends. */
export async function holdCode(mac: string): Promise<void> {
  await currentSql().query('select from delivered_device d where d.mac = $1 for update', [mac]);
}

/**
 * Uses up the code with which a company won a dispute. The code of a list that was imported since stays free. Call
 * inside of `platform()`.
 */
export async function useDisputedCode(mac: string, winnerId: string): Promise<void> {
  await currentSql().query(
    `
      update delivered_device d
      set claimed_at = now(), claimed_by = m.company_id
      from mac_dispute m
      where d.mac = $1 and d.claimed_at is null and m.mac = d.mac and m.company_id is not distinct from $2::uuid
        and m.proof = 'claim' and d.imported_at <= m.at
    `,
    [mac, winnerId],
  );
}

const { text, moment } = filterBy;
const filterColumns = {
  mac: text(d.mac, {
    contains: (parts, add) => `${d.mac} like any (${add(parts.map((part) => `%${part}%`))}::text[])`,
  }),
  sn: text(d.sn),
  state: text(state),
  company: text('c.name'),
  importedAt: moment(d.importedAt),
  claimedAt: moment(d.claimedAt),
};
const sorts = {
  mac: d.mac,
  sn: alphabetic(d.sn),
  state,
  company: alphabetic('c.name'),
  claimedAt: d.claimedAt,
  importedAt: d.importedAt,
};

function conditionsOf(query: Query, add: (value: unknown) => string): string[] {
  const conditions = filterSql(query, filterColumns, add);
  if (query.search) {
    const hex = macDigits(query.search);
    const inMac = /^[0-9a-f]{1,12}$/.test(hex) ? ` or ${d.mac} like ${add(`%${hex}%`)}` : '';
    conditions.push(`(${anyContains([d.sn, 'c.name'], add(containsPattern(query.search)))}${inMac})`);
  }
  return conditions;
}

/** Returns a page of the delivery lists, the newest first. Companies of the whole installation are named. */
export const pageOfDeliveries = (query: Query): Promise<RouteReturn<typeof listDeliveries>> =>
  platform(currentDatabase(), 'the super administrator sees which company claimed a device', () =>
    readPage({
      query,
      record,
      from,
      where: (add) => conditionsOf(query, add),
      sorts,
      order: `${d.importedAt} desc, ${d.mac}`,
    }),
  );
