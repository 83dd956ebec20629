import { useEffect, useEffectEvent, useState } from 'react';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCircleCheckFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Failed } from '../../kit/grid/states.tsx';
import { StateWord } from '../../kit/part/state.tsx';
import { deviceHref } from '../../kit/browser/address.ts';
import { count } from '../../kit/text/text.ts';
import { macText, moment } from '../../kit/text/time.ts';
import { useText } from '../../kit/text/use-text.ts';
import { deviceCountQuery, deviceListQuery } from '../device/record/device.calls.ts';
import { LinesCell } from '../device/record/lines.tsx';
import { states } from './share.ts';
import css from './home-page.module.css';

const excerpt = 8;
const route = getRouteApi('/_main/wel/home');

/**
 * Shows the start of the device list, problems first, with filters by state and text and a link to the full list with
 * the same filter.
 */
export function HomeDevices() {
  const { t } = useText();
  const navigate = useNavigate();
  const { state, search = '' } = route.useSearch();
  const [text, setText] = useState(search);
  const [asked] = useDebouncedValue(text.trim(), 250);
  const counts = useQuery(deviceCountQuery({})).data;
  const shown = state ?? (counts && (counts.state['abnormal'] ?? 0) === 0 ? 'all' : 'abnormal');
  const writeSearch = useEffectEvent(() => {
    if (asked !== search)
      void navigate({
        to: '.',
        replace: true,
        search: (s: Record<string, unknown>) => ({ ...s, search: asked === '' ? undefined : asked }) as never,
      });
  });
  useEffect(() => writeSearch(), [asked]);
  const filter = { ...(shown === 'all' ? {} : { state: [shown] }), ...(search === '' ? {} : { search }) };
  const query = useQuery({
    ...deviceListQuery({ ...filter, limit: excerpt, sort: '-lastOnlineAt' }),
    enabled: counts !== undefined,
  });
  if (query.isError && !query.data)
    return (
      <section className={css.box}>
        <div className={css.pad}>
          <Failed text={t('device.listFailed')} error={query.error} onRetry={() => void query.refetch()} />
        </div>
      </section>
    );
  if (!query.data) return <section className={`${css.box} ${css.waitingDevices}`} aria-busy />;
  return (
    <section className={css.box}>
      <h2 className={css.title}>
        {t(shown === 'abnormal' ? 'home.attention' : 'menu.devices')}
        <small>{count(query.data.total)}</small>
        <Link to="/device/list" search={filter as never} className={css.more}>
          {t('home.openList')}
        </Link>
      </h2>
      <div className={css.filter} role="search">
        <input
          type="text"
          inputMode="search"
          value={text}
          maxLength={128}
          placeholder={t('device.search')}
          aria-label={t('device.search')}
          onChange={(e) => setText(e.currentTarget.value)}
        />
        <div className={css.choices} role="group" aria-label={t('device.state')}>
          {(['all', ...states] as const).map((s) => (
            <button
              key={s}
              type="button"
              aria-pressed={s === shown}
              onClick={() =>
                void navigate({
                  to: '.',
                  replace: true,
                  search: (old: Record<string, unknown>) => ({ ...old, state: s }) as never,
                })
              }
            >
              {s === 'all' ? t('task.all') : t(`state.${s}`)}
            </button>
          ))}
        </div>
      </div>
      {query.data.total === 0 ? (
        <p className={css.nothing}>
          {shown === 'abnormal' && search === '' ? (
            <>
              <IconCircleCheckFilled size={14} aria-hidden />
              {t('home.allWell')}
            </>
          ) : (
            t('home.noDevice')
          )}
        </p>
      ) : (
        <div className={css.scroll} tabIndex={0} role="group" aria-label={t('menu.devices')}>
          <table className={css.table}>
            <thead className="hidden-text">
              <tr>
                <th scope="col">{t('device.state')}</th>
                <th scope="col">{t('device.name')}</th>
                <th scope="col">{t('device.model')}</th>
                <th scope="col">{t('device.mac')}</th>
                <th scope="col">{t('device.lines')}</th>
                <th scope="col">{t('device.lastOnline')}</th>
              </tr>
            </thead>
            <tbody>
              {query.data.records.map((d) => (
                <tr key={d.id} data-device={d.id}>
                  <td>
                    <StateWord state={d.state} />
                  </td>
                  <td className={css.name}>
                    <a href={deviceHref(d)} className="ellipsis" title={d.name}>
                      {d.name}
                    </a>
                  </td>
                  <td>{d.model}</td>
                  <td>
                    <code>{macText(d.mac)}</code>
                  </td>
                  <td>
                    <LinesCell device={d} />
                  </td>
                  <td className={css.figure}>{d.onlineSince === null ? moment(d.lastOnlineAt) : t('device.now')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
