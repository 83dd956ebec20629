import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconDeviceLandlinePhone } from '@tabler/icons-react';
import { lazy } from '../../../kit/part/lazy.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { useText } from '../../../kit/text/use-text.ts';

const WaitingPhones = lazy(() => import('./waiting-phones.tsx'));

/** Opens the phones that wait to be let in, for users who may do it. */
export function WaitingPhonesButton() {
  const { t } = useText();
  const access = useAccess();
  const [open, setOpen] = useState(false);
  if (!access.can('renewDeviceSecret')) return null;
  return (
    <>
      <Button
        variant="subtle"
        leftSection={<IconDeviceLandlinePhone size={15} stroke={1.75} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('firstAccess.waiting')}
      </Button>
      {open && <WaitingPhones onClose={() => setOpen(false)} />}
    </>
  );
}
