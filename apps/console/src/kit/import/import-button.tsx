import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconTableImport } from '@tabler/icons-react';
import type { PermissionKey } from '@carillon/contracts';
import { lazy } from '../part/lazy.tsx';
import { useAccess } from '../api/access.ts';
import { recall } from '../browser/storage.ts';
import { pageTexts } from '../text/text.ts';
import { useText } from '../text/use-text.ts';
import type { ImportNoun, ImportPlace } from './import.calls.ts';
import type { KeptImport } from './import-dialog.tsx';
import css from './import-button.module.css';

const ImportDialog = lazy(() => pageTexts().then(() => import('./import-dialog.tsx')));

interface Props {
  noun: ImportNoun;
  place: ImportPlace;
  right: PermissionKey;
}

/** Opens the import of a noun. A running one is shown again after a reload (SYS-11). */
export function ImportButton({ noun, place, right }: Props) {
  const { t } = useText();
  const access = useAccess();
  const stored = `import-${noun}`;
  const [open, setOpen] = useState(() => recall<KeptImport>(stored)?.open === true);
  if (!access.can(right)) return null;
  return (
    <>
      <Button
        variant="subtle"
        className={css.button}
        leftSection={<IconTableImport size={15} stroke={1.75} />}
        onClick={() => setOpen(true)}
      >
        {t('grid.import')}
      </Button>
      {open && <ImportDialog noun={noun} place={place} stored={stored} onClose={() => setOpen(false)} />}
    </>
  );
}
