import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { count } from '../../../kit/text/text.ts';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import type { Made } from './channel-order.calls.ts';

/** Returns a CSV cell that no program interprets as a formula. */
const cell = (text: string): string => `"${text.replace(/^[=+\-@]/, "'$&").replaceAll('"', '""')}"`;

/** Shows the new devices with their secrets, which leave this page only as a file. */
export function MadeDevices({ made, onSaved }: { made: Made; onSaved: () => void }) {
  const { t } = useText();
  const [saved, setSaved] = useState(false);
  const save = () => {
    const rows = [
      [t('channelOrder.mac'), t('channelOrder.name'), t('channelOrder.model'), t('channelOrder.secret')],
      ...made.devices.map((d) => [macText(d.mac), d.name, d.model, d.secret]),
    ];
    const text = `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
    const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
    Object.assign(document.createElement('a'), { href: url, download: 'device-secrets.csv' }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    setSaved(true);
    onSaved();
  };
  return (
    <>
      <p role="status">{t('channelOrder.made', { count: made.made, number: count(made.made) })}</p>
      <p>{t('channelOrder.secretsOnce')}</p>
      <div>
        <Button
          variant={saved ? 'default' : 'filled'}
          leftSection={<IconDownload size={15} stroke={1.75} aria-hidden />}
          onClick={save}
          data-autofocus
        >
          {t('channelOrder.download')}
        </Button>
      </div>
    </>
  );
}
