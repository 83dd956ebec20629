import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { DeviceLogKind } from '@carillon/contracts';
import { Pager } from '../../../kit/grid/pager.tsx';
import { readList, writeList, type ListSearch } from '../../../kit/grid/search.ts';
import { Failed } from '../../../kit/grid/states.tsx';
import { macText, moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deviceLogQuery, type Entry } from './device-log.calls.ts';
import { historyGroups, kindsOf } from './history-kinds.ts';
import { What } from './what-cell.tsx';
import { useWhat } from './what.ts';
import css from '../record/device-parts.module.css';
import history from './history.module.css';

const shown = 50;
const rules = { sorts: [], filters: { kind: historyGroups } };

/**
 * Shows the history of one device, newest first: state, tasks, moves, owners, lines and changes. The history of the
 * device that it replaced (DEV-13), or that had its MAC before, follows under a heading, and so on. Filter and page are
 * in the address.
 */
export default function DeviceLogTab({ id }: { id: string }) {
  const { t } = useText();
  const navigate = useNavigate();
  const state = readList<'kind'>(useSearch({ from: '/_main/device/deviceDetail' }) as ListSearch<'kind'>, rules);
  const go = (next: typeof state) =>
    void navigate({ to: '.', search: { id, tab: 'log', ...writeList(next) } as never, replace: true });
  const groups = state.filters.kind ?? [];
  const put = (kind: readonly string[]) =>
    go({ ...state, page: 1, filters: kind.length > 0 ? { kind: [...kind] } : {} });
  const kind = groups.flatMap(kindsOf);
  const query = useQuery(
    deviceLogQuery({ deviceId: [id], page: state.page, limit: state.limit, ...(kind.length > 0 ? { kind } : {}) }),
  );
  return (
    <>
      <div role="group" aria-label={t('deviceLog.groups')} className={history.groups}>
        <button type="button" aria-pressed={groups.length === 0} onClick={() => put([])}>
          {t('deviceLog.group.all')}
        </button>
        {historyGroups.map((group) => (
          <button
            key={group}
            type="button"
            aria-pressed={groups.includes(group)}
            onClick={() => put(groups.includes(group) ? groups.filter((g) => g !== group) : [...groups, group])}
          >
            {t(`deviceLog.group.${group}`)}
          </button>
        ))}
      </div>
      <Shown query={query} none={t(kind.length > 0 ? 'deviceLog.noneOfKind' : 'deviceLog.none')} />
      {query.data && query.data.total > 0 && <Pager state={state} total={query.data.total} onState={go} />}
      <Before id={id} kind={kind} />
    </>
  );
}

/** Shows the entries of a page, or why there are none. */
function Shown({ query, none }: { query: UseQueryResult<{ records: Entry[] }>; none: string }) {
  const { t } = useText();
  if (query.isError && !query.data)
    return <Failed text={t('deviceLog.listFailed')} error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return null;
  if (query.data.records.length === 0) return <p className={css.none}>{none}</p>;
  return <Entries entries={query.data.records} />;
}

/**
 * Shows the latest entries of the device that this one replaced, of the one that had its MAC before, and of those
 * before them.
 */
function Before({ id, kind }: { id: string; kind: DeviceLogKind[] }) {
  const { t } = useText();
  const { data } = useQuery(deviceLogQuery({ deviceId: [id], kind: ['replaces', 'added'], limit: 5 }));
  const former = (data?.records ?? []).filter((entry) => entry.detail['deviceId'] !== undefined);
  return former.map((entry) => (
    <section key={entry.id}>
      <h2 className={css.heading}>
        {entry.kind === 'replaces'
          ? t('deviceForm.before', { mac: macText(String(entry.detail['mac'])) })
          : t('deviceLog.before')}
      </h2>
      <Former id={String(entry.detail['deviceId'])} kind={kind} />
    </section>
  ));
}

function Former({ id, kind }: { id: string; kind: DeviceLogKind[] }) {
  const { t } = useText();
  const query = useQuery(deviceLogQuery({ deviceId: [id], limit: shown, ...(kind.length > 0 ? { kind } : {}) }));
  return (
    <>
      <Shown query={query} none={t(kind.length > 0 ? 'deviceLog.noneOfKind' : 'deviceLog.none')} />
      {query.data && query.data.total > shown && (
        <p>
          <Link to="/device/deviceLog" search={{ deviceId: id } as never} className="link">
            {t('deviceLog.all')}
          </Link>
        </p>
      )}
      <Before id={id} kind={kind} />
    </>
  );
}

function Entries({ entries }: { entries: readonly Entry[] }) {
  const { t } = useText();
  const what = useWhat();
  return (
    <div className={css.box} tabIndex={0} role="group" aria-label={t('device.log')}>
      <table className={`${css.table} ${css.stacked}`}>
        <thead>
          <tr>
            <th scope="col">{t('deviceLog.time')}</th>
            <th scope="col">{t('deviceLog.kind')}</th>
            <th scope="col">{t('deviceLog.detail')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((e) => (
            <tr key={e.id}>
              <td className={css.atState}>{moment(e.at)}</td>
              <td className={css.atName}>{t(`deviceLog.kind.${e.kind}`)}</td>
              <td className={`${css.server} ${css.atWide}`} title={what(e)}>
                <What entry={e} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
