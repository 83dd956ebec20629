import { useState } from 'react';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { DeviceRecord } from '@carillon/contracts';
import { reportsAccount } from '@carillon/contracts/device-line';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { showToast } from '../../../kit/part/toast.ts';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { AssignToLine } from './assign-account.tsx';
import { deviceLinesQuery, lineKeys, unassignAccount, type DeviceLine } from './line.calls.ts';
import { LineState } from './line-state.tsx';
import css from '../record/device-parts.module.css';

/** Returns whether a line has an account that its phone does not report yet. */
const isWaiting = ({ account, reported }: DeviceLine): boolean =>
  account !== null && !reportsAccount(reported, account.number);

/** Shows a device's lines with their assigned and reported accounts, for users who assign accounts. */
export default function DeviceLines({ device }: { device: Pick<DeviceRecord, 'id' | 'name' | 'onlineSince'> }) {
  const { t } = useText();
  const client = useQueryClient();
  const lines = useQuery(deviceLinesQuery(device.id)).data;
  const [asked, setAsked] = useState<{ what: 'assign' | 'remove'; line: DeviceLine }>();
  const close = () => setAsked(undefined);
  // Reserves the space, so that nothing below jumps.
  if (lines === undefined)
    return (
      <section aria-busy="true">
        <h2 className={css.heading}>{t('device.lines')}</h2>
        <div className={`${css.box} ${css.linesToCome}`} />
      </section>
    );
  const used = lines.filter((l) => l.account !== null || (l.reported && l.reported.status !== 'unassigned')).length;
  return (
    <section>
      <h2 className={css.heading}>
        {t('device.lines')}
        <small>{t('device.linesUsed', { used, total: lines.length })}</small>
      </h2>
      <div className={css.box} tabIndex={0} role="group" aria-label={t('device.lines')}>
        <table className={`${css.table} ${css.stacked}`}>
          <thead>
            <tr>
              <th scope="col">{t('device.line')}</th>
              <th scope="col">{t('device.account')}</th>
              <th scope="col">{t('device.server')}</th>
              <th scope="col">{t('device.state')}</th>
              <th scope="col" aria-label={t('common.more')} />
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.line}>
                <td className={css.atSub} data-word={t('device.line')}>
                  {line.line}
                </td>
                <td
                  className={css.atName}
                  title={line.account ? `${line.account.name} ${line.account.number}` : line.reported?.account}
                >
                  {line.account ? (
                    <>
                      {line.account.name} <code>{line.account.number}</code>
                    </>
                  ) : line.reported?.account === undefined ? (
                    '–'
                  ) : (
                    <code>{line.reported.account}</code>
                  )}
                </td>
                <td
                  className={`${css.server} ${css.atNone}`}
                  title={line.account?.server ?? line.reported?.server ?? undefined}
                >
                  {line.account?.server ?? line.reported?.server ?? '–'}
                </td>
                <td className={css.atState}>
                  {line.account === null && line.reported === null ? (
                    '–'
                  ) : (
                    <LineState
                      status={isWaiting(line) ? 'waiting' : line.reported!.status}
                      online={device.onlineSince !== null}
                    />
                  )}
                </td>
                <td className={`${css.lineActions} ${css.atTime}`}>
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    onClick={() => setAsked({ what: 'assign', line })}
                    aria-label={`${t(line.account ? 'sipAccount.change' : 'sipAccount.assignButton')}: ${t('sipAccount.lineFree', { line: line.line })}`}
                  >
                    {t(line.account ? 'sipAccount.change' : 'sipAccount.assignButton')}
                  </Button>
                  {line.account && (
                    <Button
                      variant="subtle"
                      color="danger"
                      size="compact-sm"
                      onClick={() => setAsked({ what: 'remove', line })}
                      aria-label={`${t('sipAccount.unassign')}: ${t('sipAccount.lineFree', { line: line.line })}`}
                    >
                      {t('sipAccount.unassign')}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {asked?.what === 'assign' && <AssignToLine device={device} line={asked.line.line} onClose={close} />}
      {asked?.what === 'remove' && asked.line.account && (
        <AskDialog
          title={t('sipAccount.unassignOne', { account: asked.line.account.name, line: asked.line.line })}
          text={t('sipAccount.unassignText')}
          confirm={t('sipAccount.unassign')}
          danger
          onClose={close}
          onConfirm={async () => {
            await call(unassignAccount, { query: { deviceId: device.id, line: asked.line.line } });
            for (const queryKey of lineKeys) await client.invalidateQueries({ queryKey });
            showToast(t('sipAccount.unassigned', { line: asked.line.line, device: device.name }));
          }}
        />
      )}
    </section>
  );
}
