import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { saveSecrets } from '../part/secret-file.ts';
import { showToast } from '../part/toast.ts';
import { useAccess } from '../api/access.ts';
import { call, remote } from '../api/call.ts';
import { count } from '../text/text.ts';
import { useText } from '../text/use-text.ts';
import { refusalOf, type Refusal } from '../part/refusal.ts';

const renewSecrets = remote('renewImportSecrets', 'POST /api/f/device/import/device/{id}/secret');

const renew = (id: string, after: number) => call(renewSecrets, { params: { id }, body: { after } });

/** Gives the imported devices that have not connected yet their secrets, and saves them as a file. */
export function ImportSecrets({ id, onRefused }: { id: string; onRefused: (refusal: Refusal | undefined) => void }) {
  const { t } = useText();
  const { can } = useAccess();
  const [busy, setBusy] = useState(false);
  if (!can('renewDeviceSecret')) return null;
  async function save() {
    const devices = [];
    let made = await renew(id, 0);
    for (; made.next !== null; made = await renew(id, made.next)) devices.push(...made.devices);
    if (devices.length === 0) return showToast(t('import.noSecrets'));
    saveSecrets(devices, made.address);
    showToast(t('import.secretsSaved', { count: devices.length, number: count(devices.length) }));
  }
  return (
    <Button
      variant="default"
      loading={busy}
      leftSection={<IconKey size={15} stroke={1.75} />}
      title={t('import.secretsHint')}
      onClick={() => {
        setBusy(true);
        onRefused(undefined);
        void save()
          .catch((e: unknown) => onRefused(refusalOf(e)))
          .finally(() => setBusy(false));
      }}
    >
      {t('import.secrets')}
    </Button>
  );
}
