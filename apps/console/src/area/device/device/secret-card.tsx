import { IconPrinter } from '@tabler/icons-react';
import { Button } from '@mantine/core';
import { useText } from '../../../kit/text/use-text.ts';
import type { addDevice, DeviceRecord, RouteOutput } from '@carillon/contracts';
import { connectAddress } from '../../../kit/part/connect-address.ts';
import { CopyButton } from '../../../kit/part/copy.tsx';
import { Facts } from '../../../kit/part/facts.tsx';
import { macText } from '../../../kit/text/time.ts';
import css from './secret-card.module.css';

/** Shows what a device needs to connect. The secret is shown once and not stored in the browser. */
export function SecretCard({
  device,
  secret,
  connect,
}: {
  device: DeviceRecord;
  secret: string;
  connect: RouteOutput<typeof addDevice>['connect'];
}) {
  const { t } = useText();
  const address = connect.address === null ? null : connectAddress(connect.address);
  const copied = (label: string, value: string) => (
    <span key={label} className={css.line}>
      <code>{value}</code>
      <CopyButton value={value} label={label} />
    </span>
  );
  return (
    <div className={css.card}>
      <p className={css.once}>{t('secret.once')}</p>
      <div className={css.secret}>
        <code>{secret}</code>
        <CopyButton value={secret} label={t('secret.secret')} />
      </div>
      <div className={css.connect}>
        <Facts
          items={[
            [
              t('deviceForm.address'),
              connect.address === null
                ? t('deviceForm.noAddress')
                : copied(t('deviceForm.address'), address?.host ?? connect.address),
            ],
            ...(address === null
              ? []
              : ([
                  [t('deviceForm.port'), copied(t('deviceForm.port'), String(address.port))],
                  [
                    t('deviceForm.encryption'),
                    t(address.isEncrypted ? 'deviceForm.encrypted' : 'deviceForm.unencrypted'),
                  ],
                ] as const)),
            [t('secret.username'), copied(t('secret.username'), device.mac)],
            [t('device.mac'), <code key="m">{macText(device.mac)}</code>],
            [t('device.name'), device.name],
            [t('device.model'), device.model],
            [t('device.sn'), <code key="s">{device.sn}</code>],
          ]}
        />
        <img className={css.qr} src={connect.qr} alt={t('deviceForm.qr')} width={168} height={168} />
      </div>
      <Button
        className={css.print}
        variant="default"
        leftSection={<IconPrinter size={15} stroke={1.75} />}
        onClick={() => print()}
      >
        {t('secret.print')}
      </Button>
    </div>
  );
}
