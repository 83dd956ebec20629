import { useState } from 'react';
import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import { useAccess } from '../../../kit/api/access.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { configQuery, useSaveConfig } from './config.calls.ts';
import css from './config-page.module.css';

/** Chooses which files can be imported in the whole installation (SYS-11). */
export default function ImportsTab() {
  const { t } = useText();
  const access = useAccess();
  const save = useSaveConfig();
  const { data: stored } = useQuery(configQuery<boolean>('importCsv'));
  // Shows the new value while it is being saved.
  const [ahead, setAhead] = useState<boolean>();
  if (stored === undefined) return null;
  const change = (value: boolean) => {
    setAhead(value);
    void save({ configKey: 'importCsv', value })
      .then(() => done('saved', { name: t('config.imports') }))
      .catch(() => {
        /* shown as a toast */
      })
      .finally(() => setAhead(undefined));
  };
  return (
    <div className={css.form}>
      <Checkbox
        name="importCsv"
        label={t('config.importCsv')}
        description={t('config.importCsvHint')}
        checked={ahead ?? stored}
        disabled={!access.can('editConfig')}
        onChange={(e) => change(e.currentTarget.checked)}
      />
    </div>
  );
}
