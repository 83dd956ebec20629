import { IconCircleCheckFilled } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Failed } from '../../kit/grid/states.tsx';
import { call } from '../../kit/api/call.ts';
import { count } from '../../kit/text/text.ts';
import { moment } from '../../kit/text/time.ts';
import { useText } from '../../kit/text/use-text.ts';
import { deviceText } from '../system/alarm/alarm-words.ts';
import { listAlarms } from '../system/alarm/alarm.calls.ts';
import { Level } from '../system/alarm/level.tsx';
import css from './home-page.module.css';

const excerpt = 5;
const openAlarmsQuery = queryOptions({
  queryKey: ['message', 'home'],
  queryFn: ({ signal }) => call(listAlarms, { query: { state: ['open'], sort: '-level', limit: excerpt } }, { signal }),
});

/** Shows the most severe open alarms. */
export function OpenAlarms() {
  const { t } = useText();
  const query = useQuery(openAlarmsQuery);
  if (query.isError && !query.data)
    return (
      <section className={css.box}>
        <div className={css.pad}>
          <Failed text={t('alarm.listFailed')} error={query.error} onRetry={() => void query.refetch()} />
        </div>
      </section>
    );
  const open = { state: ['open'], sort: '-level' };
  return (
    <section className={css.box}>
      <h2 className={css.title}>
        {t('home.openAlarms')}
        {query.data && <small>{count(query.data.total)}</small>}
        <Link to="/alarm" search={open as never} className={css.more}>
          {t('home.allAlarms')}
        </Link>
      </h2>
      {query.data?.total === 0 && (
        <p className={css.nothing}>
          <IconCircleCheckFilled size={14} aria-hidden />
          {t('home.noAlarm')}
        </p>
      )}
      <ul>
        {query.data?.records.map((alarm) => (
          <li key={alarm.id}>
            <Link to="/alarm" search={{ ...open, alarm: alarm.id } as never} className={css.alarm}>
              <Level level={alarm.level} />
              <span className={css.taskName}>
                <strong className="ellipsis" title={alarm.title}>
                  {alarm.title}
                </strong>
                <small className="ellipsis" title={deviceText(alarm) ?? alarm.content}>
                  {deviceText(alarm) ?? alarm.content}
                </small>
              </span>
              <span className={css.figure}>{moment(alarm.lastAt)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
