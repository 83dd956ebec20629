import { IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useText } from '../../kit/text/use-text.ts';
import { deviceCountQuery } from '../device/record/device.calls.ts';
import { Failed } from '../../kit/grid/states.tsx';
import { LiveMark } from '../../kit/live/live-mark.tsx';
import { StateGlyph } from '../../kit/part/state.tsx';
import { lazy } from '../../kit/part/lazy.tsx';
import { useGranted } from '../../kit/api/access.ts';
import { organization } from '../../kit/session/session.ts';
import { ended, TaskBar } from '../task/task/task-bar.tsx';
import { taskListQuery } from '../task/task/task.calls.ts';
import { count, percent } from '../../kit/text/text.ts';
import { chartColour, Donut } from './donut.tsx';
import { HomeDevices } from './home-devices.tsx';
import { OpenAlarms } from './open-alarms.tsx';
import { shares, states, type Share } from './share.ts';
import css from './home-page.module.css';

const FirstDevice = lazy(() => import('./first-device.tsx'));
const History = lazy(() => import('./history.tsx'));
const SetupStrip = lazy(() => import('./setup-strip.tsx'));

/**
 * Shows the state of the organization's devices at a glance (HOME-01): first what needs attention, then charts. Every
 * number links to its list.
 */
export function HomePage() {
  const { t } = useText();
  const devices = useGranted('/device/list');
  const tasks = useGranted('/task/list');
  const alarms = useGranted('/alarm');
  const { total } = useQuery({ ...deviceCountQuery({}), enabled: devices }).data ?? {};
  // A single organization without devices shows its zeros, because others may have some.
  const isNew = total === 0 && organization() === '1';
  return (
    <div className={css.page} data-scroll-restoration-id="home">
      <header className={css.head}>
        <h1>{t('menu.home')}</h1>
        <LiveMark />
      </header>
      <SetupStrip />
      {devices && isNew && <FirstDevice />}
      {devices && !isNew && <Tiles />}
      {!isNew && (
        <div className={css.pair}>
          {alarms && <OpenAlarms />}
          {tasks && <RunningTasks />}
        </div>
      )}
      {devices && !isNew && (
        <>
          <HomeDevices />
          <div className={css.history}>
            <History />
          </div>
          <div className={css.pair}>
            <Models />
            <Lines />
            <Firmwares />
          </div>
        </>
      )}
    </div>
  );
}

function Tiles() {
  const { t } = useText();
  const query = useQuery(deviceCountQuery({}));
  if (query.isError && !query.data)
    return (
      <section className={css.box}>
        <div className={css.pad}>
          <Failed text={t('home.countsFailed')} error={query.error} onRetry={() => void query.refetch()} />
        </div>
      </section>
    );
  const counts = query.data;
  return (
    <ul className={css.tiles} aria-busy={!counts} aria-label={t('home.byState')}>
      {states.map((s) => (
        <li key={s}>
          <Link to="/device/list" search={{ state: [s] } as never} className={css.tile}>
            <span className={css.tileName}>
              <StateGlyph state={s} />
              {t(`state.${s}`)}
              <IconArrowRight size={15} stroke={1.75} aria-hidden className={css.arrow} />
            </span>
            <strong>{counts ? count(counts.state[s] ?? 0) : '–'}</strong>
            <span className={css.share}>{counts ? percent(counts.state[s] ?? 0, counts.total) : ' '}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Reserves the place of a box until its figures are loaded, so that nothing jumps. */
const Waiting = ({ title }: { title: string }) => (
  <section className={`${css.box} ${css.waiting}`} aria-busy>
    <h2 className={css.title}>{title}</h2>
  </section>
);

/** How many names fit into a URL. */
const mostValues = 100;

/** Links a part to its devices; also the rest, as long as its names fit into a filter. */
function PartLink({ part, by }: { part: Share; by: 'model' | 'firmware' }) {
  const { t } = useText();
  const text = part.others > 0 ? t('home.others', { count: part.others }) : part.name;
  const values = part.others > 0 ? part.rest : [part.name];
  if (values.length > mostValues) return <span className="ellipsis">{text}</span>;
  return (
    <Link to="/device/list" search={{ [by]: values } as never} className="ellipsis" title={text}>
      {text}
    </Link>
  );
}

function Models() {
  const { t } = useText();
  const { data, isError } = useQuery(deviceCountQuery({}));
  if (!data && !isError) return <Waiting title={t('home.models')} />;
  if (!data || data.total === 0) return null;
  const parts = shares(data.models.map((m) => ({ name: m.model, count: m.count })));
  return (
    <section className={css.box}>
      <h2 className={css.title}>
        {t('home.models')}
        <small>{count(data.models.length)}</small>
      </h2>
      <div className={css.models}>
        <Donut parts={parts} total={data.total} unit={t('home.devices')} />
        <ul className={css.legend}>
          {parts.map((p) => (
            <li key={p.name}>
              <i style={{ background: chartColour(p.place) }} />
              <PartLink part={p} by="model" />
              <span className={css.figure}>{count(p.count)}</span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Firmwares() {
  const { t } = useText();
  const { data, isError } = useQuery(deviceCountQuery({}));
  if (!data && !isError) return <Waiting title={t('home.firmwares')} />;
  if (!data || data.firmwares.length === 0) return null;
  const parts = shares(data.firmwares.map((f) => ({ name: f.firmware, count: f.count })));
  const most = Math.max(...parts.map((p) => p.count));
  return (
    <section className={css.box}>
      <h2 className={css.title}>
        {t('home.firmwares')}
        <small>{count(data.firmwares.length)}</small>
      </h2>
      <ul className={css.bars}>
        {parts.map((p) => (
          <li key={p.name}>
            <PartLink part={p} by="firmware" />
            <span className={css.track}>
              <i style={{ width: `${(p.count / most) * 100}%` }} data-others={p.others > 0 || undefined} />
            </span>
            <span className={css.figure}>{count(p.count)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function RunningTasks() {
  const { t } = useText();
  const query = useQuery(taskListQuery({ status: ['process', 'wait'], limit: 5 }));
  if (query.isError && !query.data)
    return (
      <section className={css.box}>
        <div className={css.pad}>
          <Failed text={t('task.listFailed')} error={query.error} onRetry={() => void query.refetch()} />
        </div>
      </section>
    );
  return (
    <section className={css.box}>
      <h2 className={css.title}>
        {t('home.runningTasks')}
        {query.data && <small>{count(query.data.total)}</small>}
        <Link to="/task/list" search={{} as never} className={css.more}>
          {t('home.allTasks')}
        </Link>
      </h2>
      {query.data?.records.length === 0 && <p className={css.nothing}>{t('home.noTasks')}</p>}
      <ul>
        {query.data?.records.map((task) => (
          <li key={task.id}>
            <Link to="." search={{ task: task.id } as never} className={css.task}>
              <span className={css.taskName}>
                <strong className="ellipsis">{task.name}</strong>
                <small>{t('home.taskDevices', { count: task.counts.total })}</small>
              </span>
              <span className={css.taskBar}>
                <TaskBar counts={task.counts} thin />
              </span>
              <span className={css.figure}>
                {t('task.of', { done: count(ended(task.counts)), total: count(task.counts.total) })}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const lineStatuses = ['registered', 'calling', 'failed', 'abnormal', 'unregistered', 'unassigned'] as const;
const lineColour: Partial<Record<(typeof lineStatuses)[number], string>> = {
  registered: 'var(--online)',
  calling: 'var(--running)',
  failed: 'var(--abnormal)',
  abnormal: 'var(--timeout)',
};

/** Shows the registration states of the accounts on the devices' lines. */
function Lines() {
  const { t } = useText();
  const { data, isError } = useQuery(deviceCountQuery({ withLines: 'true' }));
  if (!data && !isError) return <Waiting title={t('home.registration')} />;
  if (!data?.lines || data.total === 0) return null;
  const all = lineStatuses.map((s) => ({ status: s, count: data.lines![s] ?? 0 })).filter((l) => l.count > 0);
  const most = Math.max(1, ...all.map((l) => l.count));
  return (
    <section className={css.box}>
      <h2 className={css.title}>
        {t('home.registration')}
        <small>{count(all.reduce((n, l) => n + l.count, 0))}</small>
      </h2>
      <ul className={css.bars}>
        {all.map((l) => (
          <li key={l.status}>
            <Link
              to="/device/list"
              search={{ line: [l.status] } as never}
              className="ellipsis"
              title={t(`line.${l.status}`)}
            >
              {t(`line.${l.status}`)}
            </Link>
            <span className={css.track}>
              <i
                style={{
                  width: `${(l.count / most) * 100}%`,
                  background: lineColour[l.status] ?? 'var(--chart-others)',
                }}
              />
            </span>
            <span className={css.figure}>{count(l.count)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
