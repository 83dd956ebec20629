import type { listWebhooks, RouteInput, RouteReturn, WebhookState } from '@carillon/contracts';
import { webhookFailingDays } from '@carillon/contracts/constants';
import { alphabetic, columnNames, columns, computed, currentSql, filterBy, iso } from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { Webhook } from './webhook.entity.ts';

export type WebhookRecord = RouteReturn<typeof listWebhooks>['records'][number];

const stateSql = `(case
  when not w.enabled then coalesce(w.off, 'off')
  when w.failing_since is not null then 'failing'
  else 'working'
end)`;
const record = columns(
  Webhook,
  'w',
  ['id', 'name', 'url', 'events', 'kinds', 'level', 'enabled', 'deliveredAt', 'failingSince', 'updatedAt'],
  {
    state: computed<WebhookState>(stateSql),
    organization: computed<WebhookRecord['organization']>(
      `(select jsonb_build_object('id', o.id, 'name', o.name) from organization_copy o where o.id = w.org_id)`,
    ),
    formerUntil: computed<string | null>('case when w.former_until > now() then w.former_until end', iso),
  },
);
const name = columnNames(Webhook, 'w');
const sorts = {
  name: alphabetic(name.name),
  url: alphabetic(name.url),
  state: stateSql,
  level: `array_position(array['low', 'medium', 'high'], ${name.level}::text)`,
  deliveredAt: name.deliveredAt,
  failingSince: name.failingSince,
  updatedAt: name.updatedAt,
};
const filterColumns = {
  name: filterBy.text(name.name),
  url: filterBy.text(name.url),
  event: filterBy.text(name.events, { any: (values, add) => `${name.events} && ${add(values)}::text[]` }),
  state: filterBy.text(stateSql),
  enabled: filterBy.flag(name.enabled),
  updatedAt: filterBy.moment(name.updatedAt),
};

export async function webhookPage(
  query: RouteInput<typeof listWebhooks>['query'],
): Promise<RouteReturn<typeof listWebhooks>> {
  return readPage({
    query,
    record,
    from: 'webhook w',
    searched: [name.name, name.url],
    filters: filterColumns,
    sorts,
    order: `${alphabetic('w.name')}, w.id`,
  });
}

export async function webhookById(id: string): Promise<WebhookRecord | undefined> {
  return (await currentSql().rows(record, `select ${record} from webhook w where w.id = $1`, [id]))[0];
}

/** Records a successful delivery. */
export async function noteDelivered(id: string): Promise<void> {
  await currentSql().query('update webhook set delivered_at = now(), failing_since = null where id = $1', [id]);
}

const failing = columns(Webhook, 'w', ['id', 'companyId', 'orgId', 'name', 'enabled'], {
  /** Only failures for so long that it is switched off. */
  tired: computed<boolean>(`w.failing_since <= now() - interval '${webhookFailingDays} days'`),
});

export async function noteFailure(id: string) {
  const [hook] = await currentSql().rows(
    failing,
    `update webhook w set failing_since = coalesce(failing_since, now()) where w.id = $1 returning ${failing}`,
    [id],
  );
  return hook;
}

export async function switchOff(id: string, why: 'gone' | 'failed'): Promise<void> {
  await currentSql().query('update webhook set enabled = false, off = $2 where id = $1', [id, why]);
}
