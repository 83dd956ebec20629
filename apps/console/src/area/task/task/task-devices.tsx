import { useEffect, useState } from 'react';
import { Button } from '@mantine/core';
import { IconDownload, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useText } from '../../../kit/text/use-text.ts';
import { useDebouncedValue } from '@mantine/hooks';
import type { TaskDeviceRecord, TaskRecord, TaskStatus } from '@carillon/contracts';
import { deviceHref } from '../../../kit/browser/address.ts';
import { Pager } from '../../../kit/grid/pager.tsx';
import { Failed } from '../../../kit/grid/states.tsx';
import type { PageSize } from '../../../kit/grid/search.ts';
import { StateWord } from '../../../kit/part/state.tsx';
import { count } from '../../../kit/text/text.ts';
import { length, macText, moment } from '../../../kit/text/time.ts';
import { nextWords, triedWords } from '../pace/pace-words.ts';
import { isOver, reasonOf, taskDevicesQuery, type TaskDeviceQuery } from './one-task.calls.ts';
import { countKinds, type CountKind } from './task-bar.tsx';
import { useResultFile } from './task-result-file.ts';
import { stepWords } from './task-steps.ts';
import css from './task-drawer.module.css';
import own from './task-result.module.css';

const problems: readonly TaskStatus[] = ['fail', 'timeout'];
/** Lists the devices of the task with their step or the reason of their end. */
export function TaskDevices({
  task,
  run,
  counts,
  chosen,
  code,
  onChoose,
  mayReport,
  onReport,
}: {
  task: TaskRecord;
  /** An earlier run; the last one when absent. */
  run: number | undefined;
  counts: TaskRecord['counts'];
  chosen: CountKind | 'problems' | undefined;
  /** Code of the reason whose devices are listed; empty for devices without one. */
  code: string | undefined;
  onChoose: (kind: 'problems' | undefined) => void;
  /** Whether the user may mark an unfinished device as done by hand. */
  mayReport: boolean;
  onReport: (device: TaskDeviceRecord) => void;
}) {
  const { t } = useText();
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), 250);
  const [page, setPage] = useState(1);
  const [limit, setLimit] = useState<PageSize>(20);
  useEffect(() => setPage(1), [chosen, code, search, run]);
  const status = chosen === 'problems' ? problems : countKinds.find((k) => k.key === chosen)?.statuses;
  const filter: Omit<TaskDeviceQuery, 'page' | 'limit'> = {
    ...(run === undefined ? {} : { run }),
    ...(status === undefined ? {} : { status: [...status] }),
    ...(code === undefined ? {} : code === '' ? { 'code.empty': 'true' } : { code: [code] }),
    ...(search === '' ? {} : { search }),
  };
  const query = useQuery(taskDevicesQuery(task.id, { page, limit, ...filter }));
  const file = useResultFile(task);
  const reason = (d: TaskDeviceRecord): string | undefined =>
    (d.code === 'frozen'
      ? t('taskWait.frozen', { when: moment(String(d.codeValues?.['until'])).slice(0, 16) })
      : (nextWords(task.pace, d) ?? reasonOf(d))) ??
    (d.status === 'wait' && !d.online ? t('task.startsOnline') : undefined);
  const troubled = counts.fail + counts.timeout;
  return (
    <section className={css.devices} aria-label={t('menu.devices')}>
      <div className={css.tools}>
        <h3>{t('menu.devices')}</h3>
        <div className={css.segment} role="group" aria-label={t('task.show')}>
          <button type="button" aria-pressed={chosen === undefined} onClick={() => onChoose(undefined)}>
            {t('task.all')}
          </button>
          <button
            type="button"
            aria-pressed={chosen === 'problems' && code === undefined}
            onClick={() => {
              if (chosen !== 'problems' || code !== undefined) onChoose('problems');
            }}
          >
            {t('task.problems', { number: count(troubled) })}
          </button>
        </div>
        <div className={css.search}>
          <IconSearch size={15} stroke={1.75} aria-hidden />
          <input
            type="text"
            value={text}
            maxLength={128}
            onChange={(e) => setText(e.currentTarget.value)}
            placeholder={t('task.deviceSearch')}
            aria-label={t('task.deviceSearch')}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={15} stroke={1.75} />}
          onClick={() => file.order({ filter: { ...filter, run: run ?? task.runs } })}
        >
          {t('grid.export')}
        </Button>
      </div>
      {file.strip}
      {query.isError && !query.data && (
        <Failed text={t('device.listFailed')} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.data &&
        (query.data.records.length === 0 ? (
          <p className={css.none}>
            {t(
              run !== undefined && counts.total > 0 && search === '' && chosen === undefined
                ? 'taskTime.runForgotten'
                : 'task.noDevices',
            )}
          </p>
        ) : (
          <>
            <div className={css.scroll} tabIndex={0} role="group" aria-label={t('menu.devices')}>
              <table className={css.table}>
                <thead>
                  <tr>
                    <th scope="col">{t('device.state')}</th>
                    <th scope="col">{t('task.device')}</th>
                    <th scope="col">{t('device.mac')}</th>
                    <th scope="col">{t('task.reason')}</th>
                    <th scope="col" className={css.end}>
                      {t('task.time')}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {query.data.records.map((d) => (
                    <tr key={d.deviceId}>
                      <td>
                        <StateWord state={d.status} />
                      </td>
                      <td className={css.name}>
                        <a href={deviceHref({ id: d.deviceId })} title={d.name}>
                          {d.name}
                        </a>
                      </td>
                      <td>
                        <code>{macText(d.mac)}</code>
                      </td>
                      <td className={css.reason}>
                        {d.progress !== null && d.status === 'process' && (
                          <span className={css.step}>
                            <i style={{ width: `${d.progress}%` }} />
                          </span>
                        )}
                        <span className="ellipsis" title={reason(d)}>
                          {reason(d) ?? (d.progress !== null && d.status === 'process' ? `${d.progress}%` : '–')}
                        </span>
                        {stepWords(d) && <span className={own.steps}>{stepWords(d)}</span>}
                        {triedWords(d).map((words) => (
                          <span key={words} className={css.tried} title={words}>
                            {words}
                          </span>
                        ))}
                      </td>
                      <td className={css.end}>
                        {mayReport && !isOver(d.status) ? (
                          <button
                            type="button"
                            className={css.byHand}
                            aria-label={`${t('taskWait.byHand')} ${d.name}`}
                            onClick={() => onReport(d)}
                          >
                            {t('taskWait.byHand')}
                          </button>
                        ) : (
                          length(d.durationMs)
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            {query.data.total > 5 && (
              <Pager
                state={{ search, page, limit, sort: undefined, filters: {} }}
                total={query.data.total}
                onState={(s) => {
                  setPage(s.page);
                  setLimit(s.limit);
                }}
              />
            )}
          </>
        ))}
    </section>
  );
}
