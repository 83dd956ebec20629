import { useAction } from '../../../kit/part/use-action.ts';
import { Button } from '@mantine/core';
import { IconMapPin } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { DeviceRecord } from '@carillon/contracts';
import { useAccess } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { placeDevices } from '../site/site.calls.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { confirmMove } from './moved.ts';
import css from '../record/device-parts.module.css';

/** Shows the site whose network contains the device, with a button that moves it there (SITE-01). */
export function SiteOffer({ device }: { device: DeviceRecord }) {
  const { t } = useText();
  const client = useQueryClient();
  const access = useAccess();
  const { busy, run } = useAction();
  const offered = device.offeredSite;
  if (!offered) return null;
  const take = () =>
    run(async () => {
      const { from } = await call(placeDevices, { body: { siteId: offered!.id, ids: [device.id] } });
      await client.invalidateQueries({ queryKey: ['device'] });
      await confirmMove(client, offered!.name, from, device.name, 1);
    });
  return (
    <div className={css.offer} role="status">
      <IconMapPin size={15} stroke={1.75} aria-hidden />
      <p>{t('device.siteOffer', { ip: offered.ip, segment: offered.segment, site: offered.name })}</p>
      {access.can('editDevice') && (
        <Button variant="default" size="xs" loading={busy} onClick={() => void take()}>
          {t('device.siteTake', { site: offered.name })}
        </Button>
      )}
    </div>
  );
}
