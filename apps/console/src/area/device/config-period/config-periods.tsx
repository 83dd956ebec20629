import { useState } from 'react';
import { Button, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { DeviceRecord } from '@carillon/contracts';
import { readTime } from '@carillon/contracts/time';
import { Failed } from '../../../kit/grid/states.tsx';
import { lazy } from '../../../kit/part/lazy.tsx';
import { userClock } from '../../../kit/text/clock.ts';
import { count } from '../../../kit/text/text.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { settingName } from '../config-template/setting-words.ts';
import { configPeriodsQuery, type ConfigPeriod } from './config-period.calls.ts';
import part from '../record/device-parts.module.css';
import css from './config-period.module.css';

const ConfigPeriodDialog = lazy(() => import('./config-period-dialog.tsx'));
/** Number of configurations that are shown at first. */
const few = 5;

/** Reads what a time field contains, in the user's zone. */
function instantOf(text: string): string | undefined {
  const at = text === '' ? undefined : readTime(text.replace('T', ' '), userClock());
  return at === undefined ? undefined : new Date(at).toISOString();
}

/** Lists the configurations that a device had; each opens beside the present one. Nothing for one that had none. */
export function ConfigPeriods({ device }: { device: DeviceRecord }) {
  const { t } = useText();
  const [time, setTime] = useState('');
  const [all, setAll] = useState(false);
  const [opened, setOpened] = useState<string>();
  const at = instantOf(time);
  const periods = useQuery({ ...configPeriodsQuery(device.id, at), placeholderData: keepPreviousData });
  const { data = [] } = periods;
  if (data.length === 0 && at === undefined && !periods.isError) return null;
  return (
    <div className={css.periods}>
      <h3>{t('configPeriod.title')}</h3>
      <TextInput
        name="at"
        type="datetime-local"
        label={t('configPeriod.at')}
        max="2999-12-31T23:59"
        value={time}
        onChange={(e) => setTime(e.currentTarget.value.slice(0, 16))}
      />
      {periods.isError ? (
        <Failed text={t('configPeriod.failed')} error={periods.error} onRetry={() => void periods.refetch()} />
      ) : data.length === 0 ? (
        <p className={css.note} role="status">
          {t('configPeriod.noneAt')}
        </p>
      ) : (
        <div className={part.box} tabIndex={0} role="group" aria-label={t('configPeriod.title')}>
          <table className={`${part.table} ${css.table}`}>
            <thead>
              <tr>
                {(['from', 'until', 'way', 'changes'] as const).map((column) => (
                  <th key={column} scope="col">
                    {t(`configPeriod.${column}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {(all ? data : data.slice(0, few)).map((period) => (
                <Row key={period.id} period={period} onOpen={() => setOpened(period.id)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {!all && data.length > few && (
        <Button variant="default" size="xs" onClick={() => setAll(true)}>
          {t('configVersion.all', { number: count(data.length) })}
        </Button>
      )}
      {opened !== undefined && (
        <ConfigPeriodDialog device={device} period={opened} onClose={() => setOpened(undefined)} />
      )}
    </div>
  );
}

function Row({ period, onOpen }: { period: ConfigPeriod; onOpen: () => void }) {
  const { t } = useText();
  const { from, until, way } = period;
  return (
    <tr>
      <td>
        <Button
          variant="default"
          size="compact-xs"
          aria-label={t('configPeriod.open', { when: moment(from) })}
          onClick={onOpen}
        >
          <time dateTime={from}>{moment(from)}</time>
        </Button>
      </td>
      <td>{until === null ? t('configPeriod.now') : <time dateTime={until}>{moment(until)}</time>}</td>
      <td>{t(`configPeriod.way.${way}`)}</td>
      <td>
        <Changes period={period} />
      </td>
    </tr>
  );
}

/** Names the settings and lines that changed, and the templates and accounts that changed them. */
function Changes({ period: { known, changes } }: { period: ConfigPeriod }) {
  const { t } = useText();
  if (!known) return <>{t('configPeriod.foreign')}</>;
  if (!changes) return <>–</>;
  const { settings, lines } = changes;
  const names = [
    ...settings.map(({ key }) => settingName(key)),
    ...lines.map(({ line }) => t('configPeriod.line', { line })),
  ];
  const causes = new Set([
    ...settings.flatMap(({ template }) => (template ? [t('configPeriod.template', template)] : [])),
    ...lines.flatMap(({ account }) => account?.name ?? []),
  ]);
  return (
    <>
      {names.join(', ') || '–'}
      {causes.size > 0 && <small>{[...causes].join(' · ')}</small>}
    </>
  );
}
