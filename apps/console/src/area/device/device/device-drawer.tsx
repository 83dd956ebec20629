import { useState } from 'react';
import { Button, Drawer } from '@mantine/core';
import { IconArrowsDiagonal, IconEdit } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useText } from '../../../kit/text/use-text.ts';
import { actionRequest, useActions, type ActionRequest } from '../../task/action/actions.tsx';
import { Failed, useSlow } from '../../../kit/grid/states.tsx';
import { useBeside } from '../../../kit/part/beside.ts';
import { StateWord } from '../../../kit/part/state.tsx';
import { deviceQuery } from '../record/device.calls.ts';
import { DeviceFacts, Identity, LineTable } from './device-parts.tsx';
import { lazy } from '../../../kit/part/lazy.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { pageTexts } from '../../../kit/text/text.ts';
import { SiteOffer } from './site-offer.tsx';
import css from './device-drawer.module.css';

const DisabledNote = lazy(() =>
  pageTexts()
    .then(() => import('./device-access.tsx'))
    .then((file) => ({ default: file.DisabledNote })),
);

const LineProblem = lazy(() => pageTexts().then(() => import('../line/line-problem.tsx')));
const SharedNote = lazy(() => pageTexts().then(() => import('./shared-note.tsx')));

const DeviceDoors = lazy(() => pageTexts().then(() => import('../door/device-doors.tsx')));

/** Shows a device beside its list; its URL opens it again. */
export default function DeviceDrawer({
  id,
  onClose,
  onAction,
}: {
  id: string;
  onClose: () => void;
  onAction: (request: ActionRequest) => void;
}) {
  const { t } = useText();
  const query = useQuery(deviceQuery(id));
  // Door actions have their buttons at each door.
  const usable = useActions().filter((a) => a.needs !== 'doors');
  const mayEdit = useAccess().can('editDevice');
  const slow = useSlow(query.isPending);
  const device = query.data;
  const actions = usable.filter((a) => device?.unsupported.includes(a.key) !== true);
  const { covers, ref } = useBeside();
  const [isAsking, setAsking] = useState(false);
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      size={480}
      padding={0}
      trapFocus={covers}
      closeOnClickOutside={false}
      closeOnEscape={!isAsking}
    >
      <Drawer.Content classNames={{ inner: css.inner }}>
        <Drawer.Body className={css.body}>
          <div className={css.head} ref={ref}>
            <div className={css.title}>
              <Drawer.Title className="ellipsis" title={device?.name}>
                {device?.name ?? t(slow ? 'common.loading' : 'device.detail')}
              </Drawer.Title>
              {device && (
                <Button
                  component={Link}
                  to="/device/deviceDetail"
                  search={{ id } as never}
                  variant="subtle"
                  size="xs"
                  leftSection={<IconArrowsDiagonal size={15} stroke={1.75} />}
                >
                  {t('device.openPage')}
                </Button>
              )}
              <Drawer.CloseButton aria-label={t('common.close')} />
            </div>
            {device && (
              <>
                <StateWord state={device.state} />
                <Identity device={device} />
              </>
            )}
          </div>
          <div className={css.content} tabIndex={0} role="group" aria-label={t('device.overview')}>
            {query.isError && !device && (
              <Failed text={t('device.failed')} error={query.error} onRetry={() => void query.refetch()} />
            )}
            {device && (
              <>
                {!device.enabled && <DisabledNote />}
                {device.sharedIdentity && <SharedNote places={device.sharedIdentity} />}
                <LineProblem device={device} />
                <SiteOffer device={device} />
                {device.doors.length > 0 && <DeviceDoors device={device} onAsking={setAsking} />}
                <LineTable device={device} />
                <section>
                  <h2 className={css.heading}>{t('device.facts')}</h2>
                  <DeviceFacts device={device} />
                </section>
              </>
            )}
          </div>
          {device && (mayEdit || actions.length > 0) && (
            <div className={css.foot}>
              {mayEdit && (
                <Button
                  component={Link}
                  to="/device/editDevice"
                  search={{ id } as never}
                  variant="default"
                  leftSection={<IconEdit size={15} stroke={1.75} />}
                >
                  {t('common.edit')}
                </Button>
              )}
              {actions.map((a) => (
                <Button
                  key={a.key}
                  variant="default"
                  leftSection={a.icon}
                  onClick={() => onAction(actionRequest(a.key, { ids: [device.id] }, 1, device.name))}
                >
                  {a.label}
                </Button>
              ))}
            </div>
          )}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
