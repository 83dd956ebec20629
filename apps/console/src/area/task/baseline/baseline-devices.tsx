import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { baselineStates, type BaselineState } from '@carillon/contracts';
import { Pager } from '../../../kit/grid/pager.tsx';
import type { PageSize } from '../../../kit/grid/search.ts';
import { Failed } from '../../../kit/grid/states.tsx';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { done } from '../../../kit/part/done.ts';
import { useAccess, useGranted } from '../../../kit/api/access.ts';
import { deviceHref } from '../../../kit/browser/address.ts';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { macText, moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { baselineDevicesQuery, retryBaseline, type Baseline } from './baseline.calls.ts';
import part from '../../../kit/part/drawer-table.module.css';
import css from './baseline.module.css';

/** Shows the state of each device and its reason, with a retry for stuck ones (STORE-07). */
export default function BaselineDevices({ baseline }: { baseline: Baseline }) {
  const { t } = useText();
  const access = useAccess();
  const client = useQueryClient();
  const [state, setState] = useState<BaselineState>();
  const [page, setPage] = useState(1);
  const [limit, setLimit] = useState<PageSize>(20);
  const [asked, setAsked] = useState(false);
  const query = useQuery(
    baselineDevicesQuery(baseline.id, { page, limit, ...(state === undefined ? {} : { state: [state] }) }),
  );
  const choose = (next: BaselineState | undefined) => {
    setState(next);
    setPage(1);
  };
  const { counts, inScope, held, creatorName, approval } = baseline;
  return (
    <section className={part.section} aria-labelledby="baseline-devices">
      {held && <p role="note">{t('baseline.heldText', { name: creatorName })}</p>}
      {!held && approval && <ApprovalNote approval={approval} />}
      <div className={css.head}>
        <h2 id="baseline-devices">{t('baseline.devices')}</h2>
        {counts.stuck > 0 && access.can('editBaseline') && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconRefresh size={14} stroke={1.75} aria-hidden />}
            onClick={() => setAsked(true)}
          >
            {t('baseline.retry')}
          </Button>
        )}
      </div>
      <div className={css.states} role="group" aria-label={t('baseline.state')}>
        <button type="button" aria-pressed={state === undefined} onClick={() => choose(undefined)}>
          {t('baseline.all')} {count(inScope)}
        </button>
        {baselineStates
          .filter((one) => counts[one] > 0 || one === state)
          .map((one) => (
            <button key={one} type="button" aria-pressed={state === one} onClick={() => choose(one)}>
              {t(`baseline.${one}`)} {count(counts[one])}
            </button>
          ))}
      </div>
      {query.isError && !query.data && (
        <Failed text={t('baseline.devicesFailed')} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.data &&
        (query.data.records.length === 0 ? (
          <p className={part.note}>{t('baseline.noDevices')}</p>
        ) : (
          <>
            <div className={css.scroll} tabIndex={0} role="group" aria-label={t('baseline.devices')}>
              <table className={part.table}>
                <thead>
                  <tr>
                    <th scope="col">{t('baseline.name')}</th>
                    <th scope="col">{t('baseline.version')}</th>
                    <th scope="col">{t('baseline.state')}</th>
                    <th scope="col">{t('baseline.reason')}</th>
                  </tr>
                </thead>
                <tbody>
                  {query.data.records.map((d) => (
                    <tr key={d.id}>
                      <th scope="row">
                        <a href={deviceHref(d)}>{d.name}</a> <span className="mono">{macText(d.mac)}</span>
                      </th>
                      <td className="mono">{d.firmware ?? '–'}</td>
                      <td>{t(`baseline.${d.state}`)}</td>
                      <td>{d.reason === null ? '–' : t(`baseline.reason.${d.reason}`)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <Pager
              state={{ search: '', page, limit, sort: undefined, filters: {} }}
              total={query.data.total}
              onState={(next) => {
                setPage(next.limit === limit ? next.page : 1);
                setLimit(next.limit);
              }}
            />
          </>
        ))}
      {asked && (
        <AskDialog
          title={t('baseline.retry')}
          text={t('baseline.retryText')}
          onClose={() => setAsked(false)}
          onConfirm={async () => {
            await call(retryBaseline, { params: { id: baseline.id } });
            await client.invalidateQueries({ queryKey: ['baseline'] });
            await done('saved', { name: baseline.name });
          }}
        />
      )}
    </section>
  );
}

/** Tells that its upgrades wait for a second person, or were refused, and how to continue. */
function ApprovalNote({ approval }: { approval: NonNullable<Baseline['approval']> }) {
  const { t } = useText();
  const mayTasks = useGranted('/task/list');
  const { state, taskId, taskNumber, by, at, reason } = approval;
  return (
    <div role="note" className={css.approval}>
      <strong>{t(`baseline.approval.${state}`, { name: by ?? '', when: moment(at) })}</strong>
      {reason !== null && <p>{reason}</p>}
      <p>{t(state === 'asked' ? 'baseline.approval.waits' : 'baseline.approval.stays')}</p>
      {mayTasks && (
        // Replaces this drawer by that of the task.
        <Link to="." search={((old: object) => ({ ...old, baseline: undefined, task: taskId })) as never}>
          {t('baseline.approval.task', { number: String(taskNumber) })}
        </Link>
      )}
    </div>
  );
}
