import { lazy } from '../../../kit/part/lazy.tsx';
import { hasText, t, textKeys } from '../../../kit/text/translate.ts';
import { IconNotes } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { formerSpans } from '../../../kit/grid/filter.ts';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn, QueryOf } from '../../../kit/grid/list.types.ts';
import { one } from '../../../kit/browser/address.ts';
import { remote } from '../../../kit/api/call.ts';
import type { TextKey } from '../../../kit/text/key.ts';
import { systemTexts } from '../../../kit/text/system.ts';
import { BrowserErrors, type LogTabs } from './browser-errors.tsx';
import { changeLine } from './change.ts';
import { Result } from './result.tsx';
import css from './operation-log-page.module.css';

// Entries of settings use the field names of their screens.
await systemTexts();

const EntryDrawer = lazy(() => import('./entry-drawer.tsx'));
const listOperationLog = remote('listOperationLog', 'GET /api/f/notification/operationLog/list');
type Query = QueryOf<typeof listOperationLog>;

/** Actions for which this console has a text; others are shown as they are. */
type ActionWord = TextKey extends infer K ? (K extends `audit.${infer W}` ? W : never) : never;
const actionWords = (): ActionWord[] =>
  textKeys().flatMap((key) => (key.startsWith('audit.') ? [key.slice('audit.'.length) as ActionWord] : []));
const word = (action: string) => (hasText(`audit.${action}`) ? t(`audit.${action as ActionWord}`) : action);
const results = ['success', 'common.forbidden'] as const;

const columns: ListColumn<typeof listOperationLog>[] = [
  { key: 'at', type: 'moment', title: 'log.time', sort: true, fixed: true, phone: 'extra', value: (e) => e.at },
  {
    key: 'username',
    type: 'text',
    title: 'log.user',
    sort: true,
    width: 110,
    value: (e) => e.username,
    show: (e) => <span className={css.strong}>{e.username}</span>,
  },
  {
    key: 'action',
    type: 'text',
    title: 'log.action',
    sort: true,
    width: 150,
    link: (e) => `/system/operationLog?id=${e.id}`,
    value: (e) => word(e.action),
  },
  { key: 'objectName', type: 'text', title: 'log.object', sort: true, width: 160, value: (e) => e.objectName },
  {
    key: 'related',
    type: 'number',
    title: 'log.related',
    width: 90,
    value: (e) => e.related,
    show: (e) => (e.related > 1 ? e.related : '–'),
  },
  {
    key: 'result',
    type: 'text',
    title: 'log.result',
    sort: true,
    width: 124,
    phone: 'state',
    value: (e) => e.result,
    show: (e) => <Result result={e.result} />,
  },
  { key: 'address', type: 'code', title: 'log.address', sort: true, width: 138, value: (e) => e.address },
  { key: 'request', type: 'code', title: 'log.request', width: 280, optional: true, value: (e) => e.requestId },
  {
    key: 'change',
    type: 'text',
    title: 'log.change',
    width: 280,
    optional: true,
    value: (e) => changeLine(e.detail, e.action),
  },
];

/** Shows the operations of users, and the errors in their browsers. */
export function OperationLogPage() {
  const current = one(useSearch({ from: '/_main/system/operationLog' }).log) === 'errors' ? 'errors' : 'operations';
  const tabs = {
    parameter: 'log',
    current,
    names: { operations: 'browserErrors.operations', errors: 'browserErrors.title' },
  } as const;
  return current === 'errors' ? <BrowserErrors tabs={tabs} /> : <Operations tabs={tabs} />;
}

/** Lists who did what, and the result (SYS-04). */
function Operations({ tabs }: { tabs: LogTabs }) {
  const navigate = useNavigate();
  const only = (search: object) => void navigate({ to: '.', search: search as never });
  return (
    <ListPage
      name="operationLog"
      route="/_main/system/operationLog"
      list={listOperationLog}
      service="notification"
      request={requestOf}
      former={formerSpans}
      tabs={tabs}
      title="menu.operationLog"
      icon={IconNotes}
      texts="log"
      columns={columns}
      filters={[
        {
          key: 'action',
          kind: 'text',
          title: 'log.action',
          options: actionWords().map((a) => ({ value: a, label: word(a) })),
        },
        {
          key: 'result',
          kind: 'text',
          title: 'log.result',
          options: results.map((r) => ({
            value: r,
            label: t(r === 'success' ? 'log.success' : 'log.forbidden'),
          })),
        },
        {
          key: 'username',
          kind: 'text',
          title: 'log.user',
          options: (entries) =>
            [...new Set(entries.map((e) => e.username))].sort().map((name) => ({ value: name, label: name })),
        },
        { key: 'at', kind: 'moment', title: 'log.time' },
        { key: 'objectName', kind: 'text', empties: true, title: 'log.object' },
        { key: 'address', kind: 'text', empties: true, title: 'log.address' },
        { key: 'objectId', title: 'log.object', hidden: true, options: [] },
        { key: 'requestId', title: 'log.request', hidden: true, options: [] },
      ]}
      label={(e) => word(e.action)}
      phone={(e) => ({ sub: `${e.username} · ${e.objectName ?? '–'}` })}
      drawer={{
        parameter: 'id',
        keep: (e) => e,
        show: (id, { records, close }) => {
          const entry = records.find((e) => e.id === id);
          return (
            entry && (
              <EntryDrawer
                entry={entry}
                word={word(entry.action)}
                onClose={close}
                onObject={() => only({ objectId: entry.objectId })}
                onRelated={() => only({ requestId: entry.requestId })}
              />
            )
          );
        },
      }}
    />
  );
}

/** The call takes a single object and a single request. */
function requestOf(asked: object): Query {
  const { requestId, objectId, ...rest } = asked as Query & { requestId?: string[]; objectId?: string[] };
  return {
    ...rest,
    ...(requestId ? { requestId: requestId[0]! } : {}),
    ...(objectId ? { objectId: objectId[0]! } : {}),
  } as Query;
}
