import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { lazy } from '../../../kit/part/lazy.tsx';
import { useText } from '../../../kit/text/use-text.ts';
import type { ConfigTemplate } from './config-template.calls.ts';

const KeyCopyDialog = lazy(() => import('./key-copy-dialog.tsx'));

/** Opens the copy of a template's keys to another model. */
export function KeyCopyButton({ template }: { template: ConfigTemplate }) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  return (
    <div>
      <Button
        variant="default"
        leftSection={<IconCopy size={15} stroke={1.75} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('phoneKey.copyTo')}
      </Button>
      {open && <KeyCopyDialog template={template} onClose={() => setOpen(false)} />}
    </div>
  );
}
