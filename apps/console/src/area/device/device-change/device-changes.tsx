import { useState } from 'react';
import { Button, CloseButton, Modal } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { restoreMinutes } from '@carillon/contracts/constants';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { showToast } from '../../../kit/part/toast.ts';
import { useAction } from '../../../kit/part/use-action.ts';
import { useAccess } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import type { TextKey } from '../../../kit/text/key.ts';
import { count } from '../../../kit/text/text.ts';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { restoreDevices } from '../record/device-change.calls.ts';
import { deviceChangesQuery } from '../record/device.calls.ts';
import {
  changedDevices,
  deleteDeviceChange,
  failedDevicesQuery,
  retryDeviceChange,
  type DeviceChange,
} from './device-change.calls.ts';
import css from './device-changes.module.css';

const shown = 3;
/** The maximum for one call that restores devices. */
const backAtOnce = 1_000;

/** Shows the user's changes of many devices with their progress and results, also after a reload (DEV-05). */
export default function DeviceChanges() {
  const { data = [] } = useQuery(deviceChangesQuery);
  return data.slice(0, shown).map((change) => <Change key={change.id} change={change} />);
}

const order = ['model', 'organization', 'site', 'server'] as const;
const titles: Readonly<Record<(typeof order)[number], TextKey>> = {
  model: 'device.model',
  organization: 'device.organization',
  site: 'device.site',
  server: 'device.sipServer',
};

function Change({ change }: { change: DeviceChange }) {
  const { t } = useText();
  const client = useQueryClient();
  const access = useAccess();
  const { busy, refusal, run } = useAction();
  const [reasons, setReasons] = useState(false);
  const { id, kind, set, status, total, done, unchanged, failed } = change;
  const many = (n: number) => ({ count: n, number: count(n) });
  const act = (work: () => Promise<unknown>) => () =>
    void run(async () => {
      await work();
      await client.invalidateQueries({ queryKey: ['operation'] });
    });
  const undo = act(async () => {
    const ids = await changedDevices(id);
    let restored = 0;
    for (let at = 0; at < ids.length; at += backAtOnce)
      restored += (await call(restoreDevices, { body: { ids: ids.slice(at, at + backAtOnce) } })).restored;
    await client.invalidateQueries({ queryKey: ['device'] });
    showToast(t('undo.devicesRestored', many(restored)));
    await call(deleteDeviceChange, { params: { id } });
  });
  const part = (state: 'done' | 'unchanged' | 'failed', words: string) =>
    // Deleted devices are in no list, so there is no link.
    kind === 'delete' ? (
      words
    ) : (
      <Link to="/device/list" search={{ change: [`${id}.${state}`] } as never}>
        {words}
      </Link>
    );
  const what = order
    .flatMap((field) => (set[field] === undefined ? [] : [`${t(titles[field])}: ${set[field] ?? t('device.noSite')}`]))
    .join(' · ');
  const over = status === 'done';
  const mayChange = access.can(kind === 'delete' ? 'deleteDevice' : 'editDevice');
  const mayUndo =
    mayChange &&
    over &&
    kind === 'delete' &&
    done > 0 &&
    Date.now() - Date.parse(change.createdAt) < restoreMinutes * 60_000;
  return (
    <div className={css.strip} role="region" aria-label={t('deviceChange.region')}>
      <strong>{t(`deviceChange.kind.${kind}`)}</strong>
      {what !== '' && <span className={css.what}>{what}</span>}
      <p role="status" className={css.words}>
        {!over && (
          <span>{t('deviceChange.progress', { done: count(done + unchanged + failed), total: count(total) })}</span>
        )}
        {over && part('done', t(kind === 'delete' ? 'deviceChange.deleted' : 'deviceChange.changed', many(done)))}
        {over && unchanged > 0 && part('unchanged', t('deviceChange.same', many(unchanged)))}
        {failed > 0 && <span className={css.failed}>{part('failed', t('deviceChange.failed', many(failed)))}</span>}
      </p>
      {!over && (
        <progress
          className={css.bar}
          value={done + unchanged + failed}
          max={Math.max(1, total)}
          aria-label={t(`deviceChange.kind.${kind}`)}
        />
      )}
      {over && failed > 0 && (
        <>
          <Button size="xs" variant="default" onClick={() => setReasons(true)}>
            {t('deviceChange.reasons')}
          </Button>
          {mayChange && (
            <Button
              size="xs"
              variant="default"
              loading={busy}
              onClick={act(() => call(retryDeviceChange, { params: { id } }))}
            >
              {t('deviceChange.retry')}
            </Button>
          )}
        </>
      )}
      {mayUndo && (
        <Button size="xs" variant="default" loading={busy} onClick={undo}>
          {t('undo.undo')}
        </Button>
      )}
      <RefusalBox refusal={refusal} />
      {over && (
        <CloseButton
          size="sm"
          aria-label={t('common.close')}
          onClick={act(() => call(deleteDeviceChange, { params: { id } }))}
        />
      )}
      {reasons && <Reasons change={change} onClose={() => setReasons(false)} />}
    </div>
  );
}

/** Shows which devices could not be changed, each with its reason. */
function Reasons({ change, onClose }: { change: DeviceChange; onClose: () => void }) {
  const { t } = useText();
  const { data } = useQuery(failedDevicesQuery(change));
  const more = (data?.total ?? 0) - (data?.records.length ?? 0);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('deviceChange.reasonsTitle')}
      size={640}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{t('device.name')}</th>
            <th scope="col">{t('device.mac')}</th>
            <th scope="col">{t('deviceChange.reason')}</th>
          </tr>
        </thead>
        <tbody>
          {data?.records.map((row) => (
            <tr key={row.deviceId}>
              <td>{row.name}</td>
              <td>
                <code>{macText(row.mac)}</code>
              </td>
              <td>{row.msg}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p>{t('deviceChange.more', { count: more, number: count(more) })}</p>}
    </Modal>
  );
}
