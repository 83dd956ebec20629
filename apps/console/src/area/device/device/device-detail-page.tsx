import { useEffect, useState } from 'react';
import { Button } from '@mantine/core';
import { IconChevronRight, IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { DeviceRecord } from '@carillon/contracts';
import { lazy } from '../../../kit/part/lazy.tsx';
import { useText } from '../../../kit/text/use-text.ts';
import { actionRequest, useActions, type ActionRequest } from '../../task/action/actions.tsx';
import { Failed } from '../../../kit/grid/states.tsx';
import { LiveMark } from '../../../kit/live/live-mark.tsx';
import { StateWord } from '../../../kit/part/state.tsx';
import { useTitle } from '../../../kit/part/use-title.ts';
import { useAccess, useGranted } from '../../../kit/api/access.ts';
import { pageTexts } from '../../../kit/text/text.ts';
import { nameTab } from '../../../kit/session/tabs.ts';
import { deviceQuery } from '../record/device.calls.ts';
import { DetailDialog, type DetailRequest } from './device-detail-dialog.tsx';
import { DetailMenu } from './device-detail-menu.tsx';
import { DeviceFacts, Identity, LineTable } from './device-parts.tsx';
import { DeviceTasks } from './device-tasks.tsx';
import { SiteOffer } from './site-offer.tsx';
import css from './device-detail-page.module.css';

const route = getRouteApi('/_main/device/deviceDetail');

const ActionDialog = lazy(() => pageTexts().then(() => import('../../task/action/action-dialog.tsx')));
const DisabledNote = lazy(() =>
  pageTexts()
    .then(() => import('./device-access.tsx'))
    .then((file) => ({ default: file.DisabledNote })),
);
const LineProblem = lazy(() => pageTexts().then(() => import('../line/line-problem.tsx')));
const SharedNote = lazy(() => pageTexts().then(() => import('./shared-note.tsx')));
const DeviceLogTab = lazy(() => pageTexts().then(() => import('../device-log/device-log-tab.tsx')));
const DeviceLines = lazy(() => pageTexts().then(() => import('../line/device-lines.tsx')));
const DeviceConfigCard = lazy(() => pageTexts().then(() => import('../device-config/device-config.tsx')));
const DeviceDoors = lazy(() => pageTexts().then(() => import('../door/device-doors.tsx')));
const DeviceBaseline = lazy(() => pageTexts().then(() => import('./device-baseline.tsx')));

/** The views of the page besides the first one. */
export type DeviceTab = 'tasks' | 'log';

export function DeviceDetailPage() {
  const { t } = useText();
  const { id, tab } = route.useSearch();
  const query = useQuery(deviceQuery(id));
  const device = query.data;
  // Door actions have their buttons at each door.
  const usable = useActions().filter((a) => a.needs !== 'doors');
  const access = useAccess();
  const baselines = useGranted('/task/baseline');
  const [request, setRequest] = useState<ActionRequest>();
  const [asked, setAsked] = useState<DetailRequest>();
  useTitle(device?.name ?? t('device.detail'));
  const name = device?.name;
  useEffect(() => {
    if (name !== undefined) nameTab(`/device/deviceDetail?id=${id}`, name);
  }, [name, id]);

  if (query.isError && !device)
    return (
      <div className={css.failed}>
        <Failed text={t('device.failed')} error={query.error} onRetry={() => void query.refetch()} />
      </div>
    );
  if (!device) return <div className={css.failed} aria-busy="true" />;
  const actions = usable.filter((a) => !device.unsupported.includes(a.key));
  return (
    <div className={css.page}>
      <header className={css.head}>
        <nav aria-label={t('common.path')} className={css.crumbs}>
          <Link to="/device/list" search={{} as never}>
            {t('menu.devices')}
          </Link>
          <IconChevronRight size={14} stroke={1.75} aria-hidden />
          <span>{device.model}</span>
        </nav>
        <div className={css.title}>
          <h1>{device.name}</h1>
          <StateWord state={device.state} />
          <LiveMark />
          <span className={css.spring} />
          <div className={css.actions}>
            {access.can('renewDeviceSecret') && (
              <Button
                variant="default"
                leftSection={<IconKey size={15} stroke={1.75} />}
                onClick={() => setAsked('renew')}
              >
                {t('device.renewSecret')}
              </Button>
            )}
            {actions.map((a, i) => (
              <Button
                key={a.key}
                {...(i < actions.length - 1 ? { variant: 'default' } : {})}
                leftSection={a.icon}
                onClick={() => setRequest(actionRequest(a.key, { ids: [device.id] }, 1, device.name))}
              >
                {a.label}
              </Button>
            ))}
            <DetailMenu device={device} onAsk={setAsked} />
          </div>
        </div>
        <Identity device={device} />
        <DetailTabs id={id} />
      </header>
      <div
        className={css.body}
        tabIndex={0}
        role="group"
        aria-label={t(tab === 'tasks' ? 'menu.tasks' : tab === 'log' ? 'device.log' : 'device.overview')}
      >
        <div className={css.main}>
          {tab === 'tasks' ? (
            <DeviceTasks id={id} />
          ) : tab === 'log' ? (
            <DeviceLogTab id={id} />
          ) : (
            <Overview device={device} onRequest={setRequest} />
          )}
        </div>
        <aside className={css.rail} aria-label={t('device.facts')}>
          <h2>{t('device.facts')}</h2>
          <DeviceFacts device={device} baseline={baselines ? <DeviceBaseline key="b" id={device.id} /> : undefined} />
        </aside>
      </div>
      {request && <ActionDialog request={request} onClose={() => setRequest(undefined)} />}
      <DetailDialog device={device} asked={asked} onClose={() => setAsked(undefined)} />
    </div>
  );
}

/** The views of a device. */
function DetailTabs({ id }: { id: string }) {
  const { t } = useText();
  const tasks = useGranted('/task/list');
  const log = useGranted('/device/deviceLog');
  return (
    <nav className={css.tabs} aria-label={t('device.views')}>
      <Link to="/device/deviceDetail" search={{ id } as never} activeOptions={{ exact: true }} replace>
        {t('device.overview')}
      </Link>
      {tasks && (
        <Link to="/device/deviceDetail" search={{ id, tab: 'tasks' } as never} activeOptions={{ exact: true }} replace>
          {t('menu.tasks')}
        </Link>
      )}
      {log && (
        <Link to="/device/deviceDetail" search={{ id, tab: 'log' } as never} activeOptions={{ exact: true }} replace>
          {t('device.log')}
        </Link>
      )}
    </nav>
  );
}

/** What is wrong with the device and how to mend it, its doors, lines and configuration. */
function Overview({ device, onRequest }: { device: DeviceRecord; onRequest: (request: ActionRequest) => void }) {
  const access = useAccess();
  return (
    <>
      {!device.enabled && <DisabledNote />}
      {device.sharedIdentity && <SharedNote places={device.sharedIdentity} />}
      <LineProblem device={device} />
      <SiteOffer device={device} />
      {device.doors.length > 0 && <DeviceDoors device={device} />}
      {access.can('assignSipAccount') ? <DeviceLines device={device} /> : <LineTable device={device} />}
      <DeviceConfigCard
        device={device}
        onSend={() =>
          onRequest({
            ...actionRequest('configUpdate', { ids: [device.id] }, 1, device.name),
            params: { by: 'template' },
          })
        }
      />
    </>
  );
}
