import { useState } from 'react';
import { Button } from '@mantine/core';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { LeaveGuard } from '../../../kit/part/leave-guard.tsx';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { several } from '../../../kit/browser/address.ts';
import { useText } from '../../../kit/text/use-text.ts';
import type { Made } from './channel-order.calls.ts';
import { MadeDevices } from './made-devices.tsx';
import { MakeDevicesForm } from './make-devices-form.tsx';
import css from '../../../kit/part/form-page.module.css';

const route = getRouteApi('/_main/channel/importToDevice');

/** Makes devices of lines that are chosen here, or given in the address as `ids`. */
export function MakeDevicesPage() {
  const { t } = useText();
  const access = useAccess();
  const navigate = useNavigate();
  const ids = several(route.useSearch().ids);
  const [made, setMade] = useState<Made>();
  const [saved, setSaved] = useState(false);
  if (!access.can('toDeviceChannelOrder')) return access.ready && <StatusPage code="403" />;
  return (
    <div className={css.page}>
      <LeaveGuard when={made !== undefined && !saved} />
      <header className={css.head}>
        <h1>{t('menu.importToDevice')}</h1>
      </header>
      {made ? (
        <>
          <div className={css.body}>
            <MadeDevices made={made} onSaved={() => setSaved(true)} />
          </div>
          <footer className={css.foot}>
            <Button component={Link} to="/channel/allocatedList" variant="default">
              {t('channelOrder.backToList')}
            </Button>
            <Button component={Link} to="/device/list" variant="default">
              {t('channelOrder.showDevices')}
            </Button>
          </footer>
        </>
      ) : (
        <MakeDevicesForm
          given={ids && { target: { ids }, count: ids.length }}
          onMade={setMade}
          frame={({ fields, send }) => (
            <>
              <div className={css.body}>{fields}</div>
              <footer className={css.foot}>
                <Button
                  variant="default"
                  onClick={() => void navigate({ to: '/channel/allocatedList', search: {} as never })}
                >
                  {t('common.cancel')}
                </Button>
                {send}
              </footer>
            </>
          )}
        />
      )}
    </div>
  );
}
