import { useCallback, useMemo } from 'react';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { DeviceLogKind } from '@carillon/contracts';
import { deviceQuery } from '../record/device.calls.ts';
import { DataGrid } from '../../../kit/grid/data-grid.tsx';
import type { Column, Filter } from '../../../kit/grid/grid.types.ts';
import { queryOf, readList, writeList, type ListRules } from '../../../kit/grid/search.ts';
import { fromOf, spanNames, type Span } from '../../../kit/grid/within.ts';
import { macText, moment, zoneName } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deviceLogPage, deviceLogQuery, type Entry, type LogQuery } from './device-log.calls.ts';
import { useWhat } from './what.ts';

const route = getRouteApi('/_main/device/deviceLog');

const kinds = [
  'online',
  'offline',
  'boot',
  'firmware',
  'config',
  'line',
  'registrationFailed',
  'factoryReset',
  'reboot',
  'tamper',
] as const satisfies readonly DeviceLogKind[];
export type DeviceLogField = 'kind' | 'deviceId' | 'within';
const rules: ListRules<DeviceLogField> = {
  sorts: [],
  filters: { kind: kinds, deviceId: undefined, within: spanNames },
};

/** What happened to the devices that the user sees (spec, section 2: /device/deviceLog). */
export function DeviceLogPage() {
  const { t } = useText();
  const navigate = useNavigate();
  const what = useWhat();
  const search = route.useSearch();
  const state = useMemo(() => readList(search, rules), [search]);
  const { within, ...asked } = queryOf(state) as LogQuery & { within?: Span[]; deviceId?: string[] };
  const request: LogQuery = { ...asked, ...fromOf(within) };
  const query = useQuery(deviceLogQuery(request));
  const [of] = asked.deviceId ?? [];
  const { data: device } = useQuery({ ...deviceQuery(of ?? ''), enabled: of !== undefined, retry: false });
  const name = useCallback((e: Entry) => e.name ?? `${macText(e.mac)} (${t('deviceLog.deleted')})`, [t]);
  const columns = useMemo(
    (): Column<Entry>[] => [
      {
        key: 'at',
        title: t('deviceLog.time'),
        hint: zoneName(),
        width: 158,
        fixed: true,
        render: (e) => moment(e.at),
        text: (e) => moment(e.at),
      },
      {
        key: 'name',
        title: t('deviceLog.device'),
        width: 220,
        link: (e) =>
          e.name === null
            ? `/device/deviceLog?deviceId=${e.deviceId}`
            : `/device/deviceDetail?id=${e.deviceId}&tab=log`,
        render: name,
        text: name,
      },
      {
        key: 'mac',
        title: t('device.mac'),
        width: 150,
        render: (e) => <code>{macText(e.mac)}</code>,
        text: (e) => macText(e.mac),
      },
      {
        key: 'kind',
        title: t('deviceLog.kind'),
        width: 160,
        render: (e) => t(`deviceLog.kind.${e.kind}`),
        text: (e) => t(`deviceLog.kind.${e.kind}`),
      },
      {
        key: 'detail',
        title: t('deviceLog.detail'),
        width: 380,
        render: (e) => <span title={what(e)}>{what(e)}</span>,
        text: what,
      },
    ],
    [t, name, what],
  );
  const filters: Filter<DeviceLogField>[] = [
    {
      key: 'kind',
      title: t('deviceLog.kind'),
      options: kinds.map((k) => ({ value: k, label: t(`deviceLog.kind.${k}`) })),
    },
    {
      key: 'within',
      title: t('deviceLog.time'),
      options: spanNames.map((s) => ({ value: s, label: t(`log.within.${s}`) })),
    },
    ...(of === undefined
      ? []
      : [
          {
            key: 'deviceId' as const,
            title: t('deviceLog.device'),
            options: asked.deviceId!.map((id) => ({
              value: id,
              label: id === of ? (device?.name ?? macText(query.data?.records[0]?.mac ?? id)) : id,
            })),
          },
        ]),
  ];
  return (
    <DataGrid<Entry, DeviceLogField>
      name="deviceLog"
      title={t('menu.deviceLogs')}
      columns={columns}
      query={query}
      state={state}
      filters={filters}
      onOpen={(e) =>
        void (e.name === null
          ? navigate({ to: '.', search: { deviceId: e.deviceId } as never })
          : navigate({ to: '/device/deviceDetail', search: { id: e.deviceId, tab: 'log' } as never }))
      }
      onExport={(page, limit) => deviceLogPage({ ...request, page, limit })}
      onState={(next) => void navigate({ to: '.', search: writeList(next) as never })}
      label={(e) => t(`deviceLog.kind.${e.kind}`)}
      searchLabel={t('deviceLog.search')}
      phone={(e) => ({ title: name(e), sub: what(e), state: t(`deviceLog.kind.${e.kind}`), extra: moment(e.at) })}
      empty={{
        icon: <IconHistory size={20} stroke={1.5} />,
        title: t('deviceLog.none'),
        text: t('deviceLog.noneText'),
      }}
      noMatch={t('deviceLog.noMatch')}
      failure={t('deviceLog.listFailed')}
    />
  );
}
