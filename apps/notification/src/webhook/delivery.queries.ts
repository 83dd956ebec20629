import {
  type DeliveryEvent,
  type DeliveryFault,
  type listWebhookDeliveries,
  type RouteInput,
  type RouteReturn,
  webhookTestEvent,
} from '@carillon/contracts';
import {
  alphabetic,
  column,
  columnNames,
  columns,
  computed,
  currentSql,
  filterBy,
  holdLock,
  iso,
  type RowOf,
} from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { Webhook, WebhookDelivery, type Attempt } from './webhook.entity.ts';

/** Most parallel attempts of one webhook and of one company; of a failing webhook only one. */
const ofWebhook = 4;
const ofCompany = 16;
/** Attempts kept per delivery. */
const keptAttempts = 30;

export interface NewDelivery {
  id: string;
  companyId: string;
  orgId: string | null;
  webhookId: string;
  event: DeliveryEvent;
  about: string;
  body: string;
}

/** Inserts deliveries. With `leaseMs` the caller sends them; otherwise a process claims them. */
export async function insertDeliveries(all: readonly NewDelivery[], leaseMs: number | null = null): Promise<void> {
  await currentSql().query(
    `
      insert into webhook_delivery (
        id, company_id, org_id, webhook_id, event, about, body, state, tries, round, next_at, leased_until, attempts,
        created_at
      )
      select m.id, m."companyId", m."orgId", m."webhookId", m.event, left(m.about, 256), m.body, 'waiting',
        case when $2::float8 is null then 0 else 1 end, case when $2::float8 is null then 0 else 1 end, now(),
        now() + make_interval(secs => $2::float8 / 1000), '[]', now()
      from jsonb_to_recordset($1::jsonb) as m(
        id uuid, "companyId" uuid, "orgId" uuid, "webhookId" uuid, event text, about text, body text
      )
    `,
    [JSON.stringify(all), leaseMs],
  );
}

const due = columns(
  WebhookDelivery,
  'd',
  ['id', 'companyId', 'orgId', 'webhookId', 'event', 'body', 'tries', 'round'],
  {
    url: column(Webhook, 'w', 'url'),
    sealed: column(Webhook, 'w', 'sealed'),
    formerSealed: computed<string | null>('case when w.former_until > now() then w.former_sealed end'),
  },
);
export type DueDelivery = RowOf<typeof due>;

/**
 * Claims due deliveries of the installation for one attempt, a few per webhook and per company, so that a slow receiver
 * delays only itself. One process claims at a time, so that the limits hold for all together. If the process dies, they
 * are available again after the lease. Visits only webhooks with waiting deliveries, by skipping through the index:
 * others cost nothing.
 */
export async function claimDeliveries(limit: number, leaseMs: number): Promise<DueDelivery[]> {
  await holdLock('webhook claim');
  return currentSql().rows(
    due,
    `
      with recursive waits (webhook_id) as (
        (select d.webhook_id from webhook_delivery d where d.state = 'waiting' order by d.webhook_id limit 1)
        union all
        select (
          select d.webhook_id
          from webhook_delivery d
          where d.state = 'waiting' and d.webhook_id > x.webhook_id
          order by d.webhook_id
          limit 1
        )
        from waits x
        where x.webhook_id is not null
      ),
      busy as materialized (
        select d.webhook_id, d.company_id from webhook_delivery d where d.leased_until > now()
      ),
      turns as (
        select x.id, x.next_at, row_number() over (partition by w.id order by x.next_at, x.id) as turn, w.company_id
        from waits
        join webhook w on w.id = waits.webhook_id
        cross join lateral (
          select d.id, d.next_at
          from webhook_delivery d
          where d.webhook_id = w.id
            and d.state = 'waiting'
            and d.next_at <= now()
            and (d.leased_until is null or d.leased_until <= now())
          order by d.next_at, d.id
          limit greatest(
            0,
            case when w.failing_since is null then ${ofWebhook} else 1 end
              - (select count(*) from busy b where b.webhook_id = w.id)
          )
          for update skip locked
        ) x
        where w.enabled
      ),
      free as (
        select t.id, t.turn, t.next_at, row_number() over (partition by t.company_id order by t.turn, t.next_at)
          + coalesce(b.of_company, 0) as place
        from turns t
        left join (select company_id, count(*) as of_company from busy group by company_id) b using (company_id)
      ),
      taken as (select f.id from free f where f.place <= ${ofCompany} order by f.turn, f.next_at limit $1)
      update webhook_delivery d
      set tries = d.tries + 1, round = d.round + 1, leased_until = now() + make_interval(secs => $2 / 1000.0)
      from webhook w
      where d.id in (select id from taken) and w.id = d.webhook_id
      returning ${due}
    `,
    [limit, leaseMs],
  );
}

/** Returns a delivery that was inserted with a lease, for its sender. */
export async function leasedDelivery(id: string): Promise<DueDelivery> {
  const sql = `select ${due} from webhook_delivery d join webhook w on w.id = d.webhook_id where d.id = $1`;
  return (await currentSql().rows(due, sql, [id]))[0]!;
}

/**
 * Stores the result of an attempt, and when the next one is due (without a pause: never). Returns false when the lease
 * expired and another process took over.
 */
export async function settleDelivery(
  { id, tries }: Pick<DueDelivery, 'id' | 'tries'>,
  attempt: Attempt,
  pauseMs: number | undefined,
): Promise<boolean> {
  const { rowCount } = await currentSql().query(
    `
      update webhook_delivery d
      set state = $4, leased_until = null,
        next_at = now() + make_interval(secs => $5::float8 / 1000),
        attempts = (
          select jsonb_agg(a.one order by a.n)
          from (
            select x.one, x.n
            from jsonb_array_elements(d.attempts || $3::jsonb) with ordinality as x(one, n)
            order by x.n desc
            limit ${keptAttempts}
          ) a
        )
      where d.id = $1 and d.tries = $2 and d.state = 'waiting'
    `,
    [
      id,
      tries,
      JSON.stringify([attempt]),
      attempt.fault === null ? 'delivered' : pauseMs === undefined ? 'failed' : 'waiting',
      pauseMs ?? null,
    ],
  );
  return rowCount === 1;
}

/** Fails the waiting deliveries of a webhook that is off; running attempts store their own result. */
export async function failWaiting(webhookId: string): Promise<void> {
  const attempt = { at: new Date().toISOString(), status: null, ms: 0, fault: 'off', answer: '' } satisfies Attempt;
  await currentSql().query(
    `
      update webhook_delivery
      set state = 'failed', next_at = null, leased_until = null, attempts = attempts || $2::jsonb
      where webhook_id = $1 and state = 'waiting' and (leased_until is null or leased_until <= now())
    `,
    [webhookId, JSON.stringify([attempt])],
  );
}

/** Schedules a full number of attempts again, the first at once; returns false while one is running. */
export async function deliverAgain(id: string): Promise<boolean> {
  const { rowCount } = await currentSql().query(
    `
      update webhook_delivery
      set state = 'waiting', round = 0, next_at = now(), leased_until = null
      where id = $1 and (leased_until is null or leased_until <= now())
    `,
    [id],
  );
  return rowCount === 1;
}

/** Deletes at most `most` deliveries; returns their number. */
export async function forgetDeliveries(before: Date, most: number): Promise<number> {
  const { rowCount } = await currentSql().query(
    'delete from webhook_delivery where id in (select id from webhook_delivery where created_at < $1 limit $2)',
    [before, most],
  );
  return rowCount;
}

const last = '(d.attempts -> -1)';
const record = columns(WebhookDelivery, 'd', ['id', 'webhookId', 'event', 'about', 'state', 'tries', 'createdAt'], {
  webhookName: column(Webhook, 'w', 'name'),
  status: computed<number | null>(`(${last} ->> 'status')::int`),
  ms: computed<number | null>(`(${last} ->> 'ms')::int`),
  fault: computed<DeliveryFault | null>(`${last} ->> 'fault'`),
  answer: computed<string>(`coalesce(${last} ->> 'answer', '')`),
  triedAt: computed<string | null>(`(${last} ->> 'at')::timestamptz`, iso),
  nextAt: computed<string | null>(`case when d.state = 'waiting' then d.next_at end`, iso),
});
const whole = columns(WebhookDelivery, 'd', ['body', 'attempts']);
const name = columnNames(WebhookDelivery, 'd');
const fromSql = 'webhook_delivery d join webhook w on w.id = d.webhook_id';
const sorts = {
  createdAt: name.createdAt,
  event: name.event,
  about: alphabetic(name.about),
  webhookName: alphabetic('w.name'),
  state: name.state,
  status: `(${last} ->> 'status')::int`,
  tries: name.tries,
  ms: `(${last} ->> 'ms')::int`,
  triedAt: `(${last} ->> 'at')::timestamptz`,
  nextAt: `case when d.state = 'waiting' then d.next_at end`,
};
const filterColumns = {
  webhook: filterBy.id(name.webhookId),
  event: filterBy.text(name.event),
  state: filterBy.text(name.state),
  fault: filterBy.text(`${last} ->> 'fault'`),
  status: filterBy.number(`(${last} ->> 'status')::int`),
  about: filterBy.text(name.about),
  createdAt: filterBy.moment(name.createdAt),
};

export async function deliveryPage(
  query: RouteInput<typeof listWebhookDeliveries>['query'],
): Promise<RouteReturn<typeof listWebhookDeliveries>> {
  return readPage({
    query,
    record,
    from: fromSql,
    searched: ['d.about', 'w.name'],
    filters: filterColumns,
    sorts,
    order: 'd.created_at desc, d.id desc',
  });
}

export async function deliveryById(id: string) {
  const [one] = await currentSql().rows(record, `select ${record} from ${fromSql} where d.id = $1`, [id]);
  const [more] = await currentSql().rows(whole, `select ${whole} from webhook_delivery d where d.id = $1`, [id]);
  return one && more ? { ...one, ...more } : undefined;
}

/** Returns whether an event is a manual test, which is sent at once and not retried. */
export const isTest = ({ event }: Pick<DueDelivery, 'event'>): boolean => event === webhookTestEvent;
