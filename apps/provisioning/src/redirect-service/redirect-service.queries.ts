import {
  redirectStates,
  type getDeviceRedirect,
  type listRedirectDevices,
  type listRedirectServices,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { errorText, type ErrorKey } from '@carillon/contracts/errors';
import { column, columns, computed, currentSql } from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { RedirectDevice, RedirectService } from './redirect-service.entity.ts';

export type RedirectServiceRecord = RouteReturn<typeof listRedirectServices>['services'][number];

const ofState = (state: string): string =>
  `(select count(*)::int from redirect_device r where r.service_id = s.id and r.state = '${state}')`;
const service = columns(
  RedirectService,
  's',
  ['id', 'kind', 'address', 'userName', 'enabled', 'failingSince', 'failure', 'failureValues', 'retryAt', 'updatedAt'],
  {
    secretSet: computed<boolean>(`s.secret <> ''`),
    devices: computed<RedirectServiceRecord['devices']>(
      `jsonb_build_object(${redirectStates.map((state) => `'${state}', ${ofState(state)}`).join(', ')})`,
    ),
  },
);

const wordsOf = (failure: ErrorKey | null, values: Record<string, string>): string | null =>
  failure === null ? null : errorText(failure, context().language, values);

/** Returns the services of the company, or one of them, in the order of their names. */
export async function redirectServices(id?: string): Promise<RedirectServiceRecord[]> {
  const rows = await currentSql().rows(
    service,
    `select ${service} from redirect_service s ${id === undefined ? '' : 'where s.id = $1'} order by s.kind, s.id`,
    id === undefined ? [] : [id],
  );
  return rows.map(({ failingSince, failure, failureValues, ...row }) => {
    const msg = wordsOf(failure, failureValues);
    return { ...row, failure: msg === null || failingSince === null ? null : { msg, since: failingSince } };
  });
}

/** SQL: when a device `r` of a service `s` is tried again; null: never by itself. */
const retryAt = computed<string | null>(
  `case when r.next_at is null or not s.enabled then null
    when s.failing_since is not null then greatest(s.retry_at, case when s.retry_at is not null then r.next_at end)
    else r.next_at end`,
  (text) => (text === null ? null : new Date(text as string).toISOString()),
);
const device = columns(RedirectDevice, 'r', ['id', 'deviceId', 'mac', 'state', 'wanted', 'failure', 'failureValues'], {
  name: computed<string>('coalesce(d.name, r.device_name)'),
  retryAt,
});
const fromSql = `
  redirect_device r
  join redirect_service s on s.id = r.service_id
  left join device_copy d on d.id = r.device_id
`;

export async function redirectDevicePage(
  query: RouteInput<typeof listRedirectDevices>['query'],
): Promise<RouteReturn<typeof listRedirectDevices>> {
  const page = await readPage({
    query,
    record: device,
    from: fromSql,
    counted: 'redirect_device r',
    where: (add) => [
      `r.service_id = ${add(query.id)}`,
      ...(query.state === undefined ? [] : [`r.state = ${add(query.state)}`]),
    ],
    order: `array_position(array['failed', 'waiting', 'registered'], r.state::text), r.mac`,
  });
  return {
    ...page,
    records: page.records.map(({ failure, failureValues, ...row }) => ({
      ...row,
      msg: wordsOf(failure, failureValues),
    })),
  };
}

const own = columns(RedirectDevice, 'r', ['state', 'address', 'since', 'failure', 'failureValues'], {
  kind: column(RedirectService, 's', 'kind'),
  enabled: column(RedirectService, 's', 'enabled'),
  serviceFailure: column(RedirectService, 's', 'failure'),
  serviceValues: column(RedirectService, 's', 'failureValues'),
  retryAt,
});

/** Returns what the service of a device's maker is to know of it; null without a service. */
export async function redirectOfDevice(id: string): Promise<RouteReturn<typeof getDeviceRedirect>> {
  const [row] = await currentSql().rows(
    own,
    `select ${own} from ${fromSql} where r.device_id = $1 and r.wanted order by r.id limit 1`,
    [id],
  );
  if (!row) return null;
  const { failure, failureValues, serviceFailure, serviceValues, ...rest } = row;
  return {
    ...rest,
    // A device that waits for a failing service has the service's reason.
    msg: wordsOf(failure, failureValues) ?? (row.state === 'waiting' ? wordsOf(serviceFailure, serviceValues) : null),
  };
}
