import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { saveSecrets } from '../../../kit/part/secret-file.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import type { Made } from './channel-order.calls.ts';

/** Shows the new devices with their secrets, which leave this page only as a file. */
export function MadeDevices({ made, onSaved }: { made: Made; onSaved: () => void }) {
  const { t } = useText();
  const [saved, setSaved] = useState(false);
  const save = () => {
    saveSecrets(made.devices, made.address);
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
