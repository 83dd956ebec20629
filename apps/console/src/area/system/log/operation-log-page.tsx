import { lazy, useCallback, useMemo } from 'react';
import { IconNotes } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Late } from '../../../kit/part/late.tsx';
import { useText } from '../../../kit/text/use-text.ts';
import type { listOperationLog, RouteCall } from '@carillon/contracts';
import { DataGrid } from '../../../kit/grid/data-grid.tsx';
import type { Column, Filter } from '../../../kit/grid/grid.types.ts';
import { queryOf, readList, writeList, type ListRules } from '../../../kit/grid/search.ts';
import { one } from '../../../kit/session/address.ts';
import { call, remote } from '../../../kit/session/call.ts';
import { systemTexts } from '../../../kit/text/system.ts';
import { moment, zoneName } from '../../../kit/text/time.ts';
import type { TextKey } from '../../../kit/text/key.ts';
import { changeLine } from './change.ts';
import { Result, type Entry } from './result.tsx';
import { fromOf, spanNames, type Span } from '../../../kit/grid/within.ts';
import css from './operation-log-page.module.css';

// An entry of a setting names its fields as the screen does where it is set.
await systemTexts();

const EntryDrawer = lazy(() => import('./entry-drawer.tsx'));

const route = getRouteApi('/_main/system/operationLog');

const list = remote('listOperationLog', 'GET /api/f/notification/operationLog/list');
type LogQuery = NonNullable<RouteCall<typeof listOperationLog>['query']>;

/** Audit words that this console can name, which are its texts; another one is shown as it is. */
type ActionWord = TextKey extends infer K ? (K extends `audit.${infer W}` ? W : never) : never;
const actionWords = (texts: object): ActionWord[] =>
  Object.keys(texts).flatMap((key) => (key.startsWith('audit.') ? [key.slice('audit.'.length) as ActionWord] : []));
const results = ['success', 'common.forbidden'] as const;
export type LogField = 'action' | 'result' | 'username' | 'within' | 'objectId' | 'requestId';
const rules: ListRules<LogField> = {
  sorts: [],
  filters: {
    action: undefined,
    result: undefined,
    username: undefined,
    within: spanNames,
    objectId: undefined,
    requestId: undefined,
  },
};

export function OperationLogPage() {
  const { t, i18n } = useText();
  const navigate = useNavigate();
  const search = route.useSearch();
  const state = useMemo(() => readList(search, rules), [search]);
  const opened = one(search.id);
  const { requestId, objectId, within, ...asked } = queryOf(state) as LogQuery & {
    requestId?: string[];
    objectId?: string[];
    within?: Span[];
  };
  const request = {
    ...asked,
    ...(requestId ? { requestId: requestId[0]! } : {}),
    ...(objectId ? { objectId: objectId[0]! } : {}),
    ...fromOf(within),
  } as LogQuery;
  const query = useQuery({
    queryKey: ['operationLog', 'list', request],
    queryFn: ({ signal }) => call(list, { query: request }, { signal }),
    placeholderData: keepPreviousData,
  });
  const word = useCallback(
    (action: string) => (i18n.exists(`audit.${action}`) ? t(`audit.${action as ActionWord}`) : action),
    [t, i18n],
  );
  const columns = useMemo(
    (): Column<Entry>[] => [
      {
        key: 'at',
        title: t('log.time'),
        hint: zoneName(),
        width: 158,
        fixed: true,
        render: (e) => moment(e.at),
        text: (e) => moment(e.at),
      },
      {
        key: 'user',
        title: t('log.user'),
        width: 140,
        render: (e) => <span className={css.strong}>{e.username}</span>,
        text: (e) => e.username,
      },
      {
        key: 'action',
        title: t('log.action'),
        width: 190,
        link: (e) => `/system/operationLog?id=${e.id}`,
        render: (e) => word(e.action),
        text: (e) => word(e.action),
      },
      {
        key: 'object',
        title: t('log.object'),
        width: 220,
        render: (e) => <span title={e.objectName ?? undefined}>{e.objectName ?? '–'}</span>,
        text: (e) => e.objectName ?? '',
      },
      {
        key: 'related',
        title: t('log.related'),
        width: 110,
        align: 'end',
        render: (e) => (e.related > 1 ? e.related : '–'),
        text: (e) => String(e.related),
      },
      {
        key: 'result',
        title: t('log.result'),
        width: 150,
        render: (e) => <Result result={e.result} />,
        text: (e) => e.result,
      },
      {
        key: 'address',
        title: t('log.address'),
        width: 140,
        render: (e) => (e.address === null ? '–' : <code>{e.address}</code>),
        text: (e) => e.address ?? '',
      },
      {
        key: 'request',
        title: t('log.request'),
        width: 280,
        optional: true,
        render: (e) => (e.requestId === null ? '–' : <code>{e.requestId}</code>),
        text: (e) => e.requestId ?? '',
      },
      {
        key: 'change',
        title: t('log.change'),
        width: 280,
        optional: true,
        render: (e) => {
          const line = changeLine(e.detail, e.action) || '–';
          return <span title={line}>{line}</span>;
        },
        text: (e) => changeLine(e.detail, e.action),
      },
    ],
    [t, word],
  );
  const filters: Filter<LogField>[] = [
    {
      key: 'action',
      title: t('log.action'),
      options: actionWords(i18n.getResourceBundle(i18n.language, 'text') as object).map((a) => ({
        value: a,
        label: t(`audit.${a}`),
      })),
    },
    {
      key: 'result',
      title: t('log.result'),
      options: results.map((r) => ({ value: r, label: t(r === 'success' ? 'log.success' : 'log.forbidden') })),
    },
    {
      key: 'username',
      title: t('log.user'),
      options: [...new Set((query.data?.records ?? []).map((e) => e.username))]
        .sort()
        .map((name) => ({ value: name, label: name })),
    },
    { key: 'within', title: t('log.time'), options: spanNames.map((s) => ({ value: s, label: t(`log.within.${s}`) })) },
    ...(objectId ? [{ key: 'objectId' as const, title: t('log.object'), options: [] }] : []),
    ...(requestId ? [{ key: 'requestId' as const, title: t('log.request'), options: [] }] : []),
  ];
  const show = (id: string | undefined) => void navigate({ to: '.', search: { ...search, id } as never });
  const entry = query.data?.records.find((e) => e.id === opened);
  return (
    <>
      <DataGrid<Entry, LogField>
        name="operationLog"
        title={t('menu.operationLog')}
        columns={columns}
        query={query}
        state={state}
        filters={filters}
        onOpen={(e) => show(e.id)}
        openId={opened}
        onExport={(page, limit) => call(list, { query: { ...request, page, limit } })}
        onState={(next) => void navigate({ to: '.', search: writeList(next) as never })}
        label={(e) => word(e.action)}
        searchLabel={t('log.search')}
        phone={(e) => ({
          title: word(e.action),
          sub: `${e.username} · ${e.objectName ?? '–'}`,
          state: <Result result={e.result} />,
          extra: moment(e.at),
        })}
        empty={{ icon: <IconNotes size={20} stroke={1.5} />, title: t('log.none'), text: t('log.noneText') }}
        noMatch={t('log.noMatch')}
        failure={t('log.listFailed')}
      />
      <Late>
        {entry && (
          <EntryDrawer
            entry={entry}
            word={word(entry.action)}
            onClose={() => show(undefined)}
            onObject={() => void navigate({ to: '.', search: { objectId: entry.objectId } as never })}
            onRelated={() => void navigate({ to: '.', search: { requestId: entry.requestId } as never })}
          />
        )}
      </Late>
    </>
  );
}
