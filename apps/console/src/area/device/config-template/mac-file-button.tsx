import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { lazy } from '../../../kit/part/lazy.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { useText } from '../../../kit/text/use-text.ts';

const MacFileDialog = lazy(() => import('./mac-file-dialog.tsx'));

/** Opens the upload of MAC files, for users who may add templates (CFG-02). */
export function MacFileButton() {
  const { t } = useText();
  const access = useAccess();
  const [open, setOpen] = useState(false);
  if (!access.can('addConfigTemplate')) return null;
  return (
    <>
      <Button
        variant="subtle"
        leftSection={<IconFileUpload size={15} stroke={1.75} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('macFile.upload')}
      </Button>
      {open && <MacFileDialog onClose={() => setOpen(false)} />}
    </>
  );
}
