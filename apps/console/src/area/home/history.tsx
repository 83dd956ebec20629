import { useState } from 'react';
import { SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { deviceHistory, RouteOutput } from '@carillon/contracts';
import { StateGlyph } from '../../kit/part/state.tsx';
import { Failed } from '../../kit/grid/states.tsx';
import { call, remote } from '../../kit/api/call.ts';
import { quietly } from '../../kit/api/quietly.ts';
import { count } from '../../kit/text/text.ts';
import { moment } from '../../kit/text/time.ts';
import { systemTexts } from '../../kit/text/system.ts';
import { useText } from '../../kit/text/use-text.ts';
import { siteNamesQuery } from '../device/site/site.calls.ts';
import box from './home-page.module.css';
import css from './history.module.css';

await systemTexts();

const history = remote('deviceHistory', 'GET /api/f/device/device/history');
type Point = RouteOutput<typeof deviceHistory>['points'][number];
const ranges = ['24h', '7d', '30d'] as const;
type Range = (typeof ranges)[number];
const hours = { '24h': 24, '7d': 168, '30d': 720 } as const;

const states = ['online', 'offline', 'abnormal', 'notConfigured'] as const;
const colours = {
  online: 'var(--online)',
  offline: 'var(--offline)',
  abnormal: 'var(--abnormal)',
  notConfigured: 'var(--not-configured)',
  registered: 'var(--online)',
  failed: 'var(--abnormal)',
} as const;
const [width, height] = [600, 120];

/** Shows devices and lines over time, of all sites or one; each name links to the current list. */
export default function History() {
  const { t } = useText();
  const [range, setRange] = useState<Range>('24h');
  const [site, setSite] = useState<string>('');
  const sites = useQuery(siteNamesQuery()).data ?? [];
  const query = useQuery({
    queryKey: ['history', range, site],
    queryFn: ({ signal }) =>
      quietly(() => call(history, { query: { range, ...(site ? { site: [site] } : {}) } }, { signal })),
    refetchInterval: 300_000,
  });
  const points = query.data?.points ?? [];
  const narrowed = site ? { site: [site] } : {};
  const from = Date.now() - hours[range] * 3_600_000;
  return (
    <section className={box.box} aria-busy={!query.data && !query.isError}>
      <div className={css.head}>
        <h2>{t('history.title')}</h2>
        {sites.length > 0 && (
          <Select
            aria-label={t('device.site')}
            size="xs"
            data={[{ value: '', label: t('history.allSites') }, ...sites.map((s) => ({ value: s.id, label: s.name }))]}
            value={site}
            onChange={(v) => setSite(v ?? '')}
            allowDeselect={false}
            searchable
          />
        )}
        <div>
          <SegmentedControl
            aria-label={t('history.range')}
            size="xs"
            data={ranges.map((value) => ({ value, label: t(`history.${value}`) }))}
            value={range}
            onChange={(v) => setRange(v as Range)}
          />
        </div>
      </div>
      {query.isError && !query.data ? (
        <div className={box.pad}>
          <Failed text={t('home.countsFailed')} error={query.error} onRetry={() => void query.refetch()} />
        </div>
      ) : points.length < 2 ? (
        <p className={box.nothing}>{query.data ? t('history.soon') : ' '}</p>
      ) : (
        <div className={css.panels}>
          <figure>
            <figcaption>
              {states.map((state) => (
                <Link key={state} to="/device/list" search={{ state: [state], ...narrowed } as never}>
                  <StateGlyph state={state} />
                  {t(`state.${state}`)}
                </Link>
              ))}
            </figcaption>
            <Lines points={points} series={states} from={from} />
          </figure>
          <figure>
            <figcaption>
              {(['registered', 'failed'] as const).map((line) => (
                <Link key={line} to="/device/list" search={{ line: [line], ...narrowed } as never}>
                  <i style={{ background: colours[line] }} />
                  {t(`line.${line}`)}
                </Link>
              ))}
            </figcaption>
            <Lines points={points} series={['registered', 'failed']} from={from} />
          </figure>
        </div>
      )}
    </section>
  );
}

/** One axis from zero to the maximum; the table beside it serves users of screen readers. */
function Lines({
  points,
  series,
  from,
}: {
  points: readonly Point[];
  series: readonly (keyof typeof colours)[];
  from: number;
}) {
  const { t } = useText();
  const most = Math.max(1, ...points.flatMap((p) => series.map((s) => p[s])));
  const until = Date.now();
  const x = (p: Point) => ((Date.parse(p.at) - from) / (until - from)) * width;
  const y = (n: number) => height - (n / most) * (height - 4) - 2;
  const name = (s: keyof typeof colours) => (s === 'registered' || s === 'failed' ? t(`line.${s}`) : t(`state.${s}`));
  return (
    <>
      <div className={css.chart} aria-hidden>
        <span>{count(most)}</span>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
          <line x1={0} x2={width} y1={2} y2={2} />
          <line x1={0} x2={width} y1={height - 2} y2={height - 2} />
          {series.map((s) => (
            <polyline
              key={s}
              points={points.map((p) => `${x(p).toFixed(1)},${y(p[s]).toFixed(1)}`).join(' ')}
              style={{ stroke: colours[s] }}
            />
          ))}
        </svg>
        <span>0</span>
        <p>
          <span>{moment(new Date(from).toISOString()).slice(0, 16)}</span>
          <span>{moment(new Date(until).toISOString()).slice(0, 16)}</span>
        </p>
      </div>
      <div className="hidden-text">
        <table>
          <caption>{t('history.title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('log.time')}</th>
              {series.map((s) => (
                <th key={s} scope="col">
                  {name(s)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map((p) => (
              <tr key={p.at}>
                <th scope="row">{moment(p.at)}</th>
                {series.map((s) => (
                  <td key={s}>{count(p[s])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
