import { mostOrders } from '@carillon/contracts/constants';
import type {
  ChannelOrderRecord,
  ChannelOrderTarget,
  countChannelOrders,
  listChannelOrders,
  listCustody,
  listOrderChannels,
  RouteInput,
  RouteReturn,
} from '@carillon/contracts';
import { macDigits } from '@carillon/contracts/device-filter';
import {
  alphabetic,
  anyContains,
  columnNames,
  columns,
  computed,
  containsPattern,
  currentSql,
  filterBy,
  filterSql,
  parameters,
  whereSql,
} from '@carillon/persistence';
import { fail, readPage } from '@carillon/service';
import { ChannelCopy } from './channel-copy.entity.ts';
import { ChannelOrder, Custody } from './channel-order.entity.ts';

type Query = RouteInput<typeof listChannelOrders>['query'];
type Filter = Omit<Query, 'page' | 'limit' | 'current' | 'size' | 'sort'>;

export const orderRecord = columns(
  ChannelOrder,
  'o',
  ['id', 'mac', 'model', 'order', 'source', 'from', 'status', 'inAt', 'assignedAt', 'deviceId'],
  {
    company: computed<ChannelOrderRecord['company']>(
      `case when o.receiver_id is not null then jsonb_build_object('id', o.receiver_id, 'name', o.receiver) end`,
    ),
  },
);
const identified = columns(ChannelOrder, 'o', ['id', 'mac']);
/** The columns of an order line that a change of hands needs. */
export const orderLine = columns(ChannelOrder, 'o', [
  'id',
  'mac',
  'model',
  'status',
  'source',
  'receiverId',
  'deviceId',
]);

const o = columnNames(ChannelOrder, 'o');
const { text, moment, id, flag } = filterBy;
const filterColumns = {
  mac: text(o.mac, {
    contains: (parts, add) => `${o.mac} like any (${add(parts.map((part) => `%${part}%`))}::text[])`,
  }),
  model: text(o.model),
  order: text(o.order),
  source: text(o.source),
  from: text(o.from),
  status: text(o.status),
  inAt: moment(o.inAt),
  assignedAt: moment(o.assignedAt),
  company: id(o.receiverId),
  inUse: flag(`(${o.deviceId} is not null)`),
};
const sorts = {
  mac: o.mac,
  model: alphabetic(o.model),
  order: alphabetic(o.order),
  source: o.source,
  from: alphabetic(o.from),
  status: o.status,
  inAt: o.inAt,
  assignedAt: o.assignedAt,
  company: alphabetic(o.receiver),
};

function conditionsOf(filter: Filter, add: (value: unknown) => string): string[] {
  const conditions = filterSql(filter, filterColumns, add);
  if (filter.search) {
    const like = add(containsPattern(filter.search));
    const hex = macDigits(filter.search);
    const inMac = /^[0-9a-f]{1,12}$/.test(hex) ? ` or ${o.mac} like ${add(`%${hex}%`)}` : '';
    conditions.push(`${anyContains([o.model, o.order, o.receiver, o.from], like)}${inMac}`);
  }
  return conditions;
}

export async function pageOfOrders(query: Query): Promise<RouteReturn<typeof listChannelOrders>> {
  return readPage({
    query,
    record: orderRecord,
    from: 'channel_order o',
    where: (add) => conditionsOf(query, add),
    sorts,
    order: `${o.inAt} desc, ${o.mac}`,
  });
}

const sums = columns(ChannelOrder, 'o', [], {
  total: computed<number>('count(*)::int'),
  free: computed<number>(`(count(*) filter (where o.status = 'unassigned' and o.device_id is null))::int`),
  inUse: computed<number>('(count(*) filter (where o.device_id is not null))::int'),
  assigned: computed<number>(`(count(*) filter (where o.status = 'assigned'))::int`),
});
const byChannel = columns(ChannelOrder, 'o', [], {
  id: computed<string>('o.receiver_id'),
  name: computed<string>('min(o.receiver)'),
  count: computed<number>('count(*)::int'),
});
const byStock = columns(ChannelOrder, 'o', ['model', 'order'], { count: computed<number>('count(*)::int') });

export async function sumsOfOrders(): Promise<RouteReturn<typeof countChannelOrders>> {
  const [all] = await currentSql().rows(sums, `select ${sums} from channel_order o`);
  const channels = await currentSql().rows(
    byChannel,
    `
      select ${byChannel}
      from channel_order o
      where o.receiver_id is not null
      group by o.receiver_id
      order by 3 desc, 2
      limit 200
    `,
  );
  const stock = await currentSql().rows(
    byStock,
    `
      select ${byStock}
      from channel_order o
      where o.status = 'unassigned' and o.device_id is null
      group by ${o.model}, ${o.order}
      order by 3 desc, 1, 2
      limit 200
    `,
  );
  return { ...all!, channels, stock };
}

const channel = columns(ChannelCopy, 'c', ['id', 'name', 'status']);
/** Excludes the installation's own company, which has a row of its own. */
const belowSql = 'c.id <> c.company_id';

export function channelsBelow(): Promise<RouteReturn<typeof listOrderChannels>> {
  return currentSql().rows(
    channel,
    `select ${channel} from channel_copy c where ${belowSql} order by ${alphabetic('c.name')}, c.id`,
  );
}
export async function channelBelow(channelId: string) {
  const [found] = await currentSql().rows(
    channel,
    `select ${channel} from channel_copy c where ${belowSql} and c.id = $1`,
    [channelId],
  );
  return found;
}
/** Returns a company's name; inside of `platform()` of any company. */
export async function companyName(companyId: string): Promise<string> {
  const [found] = await currentSql().rows(channel, `select ${channel} from channel_copy c where c.id = $1`, [
    companyId,
  ]);
  return found?.name ?? '';
}

const step = columns(Custody, 'c', ['id', 'at', 'step', 'company']);
export function custodyOf(mac: string): Promise<RouteReturn<typeof listCustody>> {
  return currentSql().rows(
    step,
    `select ${step} from custody c where c.mac = $1 order by c.at desc, c.id desc limit 200`,
    [mac],
  );
}

interface Chosen {
  id: string;
  mac: string;
}

/** Returns the selected lines without locking them. Fails when some do not exist. */
export async function chosenOrders(target: ChannelOrderTarget): Promise<Chosen[]> {
  if ('ids' in target) return namedOrders([...new Set(target.ids)]);
  if ('macs' in target) return ordersOf([...new Set(target.macs)]);
  if ('first' in target) return firstFree(target);
  const { values, add } = parameters();
  const where = whereSql([
    ...conditionsOf(target.filter, add),
    ...(target.exclude?.length ? [`not ${o.id} = any (${add(target.exclude)}::uuid[])`] : []),
  ]);
  const rows = await currentSql().rows(
    identified,
    `select ${identified} from channel_order o ${where} limit ${mostOrders + 1}`,
    values,
  );
  if (rows.length > mostOrders) fail('channelOrder.tooMany', { most: mostOrders });
  if (rows.length === 0) fail('common.notFound');
  return rows;
}

async function namedOrders(ids: readonly string[]): Promise<Chosen[]> {
  const rows = await currentSql().rows(
    identified,
    `select ${identified} from channel_order o where o.id = any ($1::uuid[])`,
    [ids],
  );
  return rows.length === ids.length ? rows : fail('common.notFound');
}

async function ordersOf(macs: readonly string[]): Promise<Chosen[]> {
  const rows = await currentSql().rows(
    identified,
    `select ${identified} from channel_order o where o.mac = any ($1::text[])`,
    [macs],
  );
  if (rows.length === macs.length) return rows;
  const there = new Set(rows.map((r) => r.mac));
  const missing = macs.filter((mac) => !there.has(mac));
  return fail('channelOrder.unknownMac', {
    count: missing.length,
    mac: missing[0]!.toUpperCase().match(/../g)!.join(':'),
  });
}

async function firstFree(target: { first: number; model?: string | undefined; order?: string | undefined }) {
  const rows = await currentSql().rows(
    identified,
    `
      select ${identified}
      from channel_order o
      where o.status = 'unassigned' and o.device_id is null and ($2::text is null or o.model = $2)
        and ($3::text is null or o.order_name = $3)
      order by o.in_at, o.mac
      limit $1
    `,
    [target.first, target.model ?? null, target.order ?? null],
  );
  return rows.length === target.first ? rows : fail('channelOrder.notEnough', { free: rows.length });
}
